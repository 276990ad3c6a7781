import { parseArgs } from 'node:util'
import { askDaemon } from './ask-daemon.js'
import { answerMsMax, type Complaint, queriesOf, resolveQueries } from './resolve-queries.js'

/**
 * `npm run fuzz [-- --queries 1000000 --seed text --scale 1]`: asks the resolver of names hostile queries in this process, and 1,000
 * more of the built daemon as bodies of `POST /resolve`. Leaves with 1 where an answer failed or took more than 50 ms of
 * processor time.
 */

const { values } = parseArgs({
  options: {
    queries: { type: 'string', default: '100000' },
    http: { type: 'string', default: '1000' },
    seed: { type: 'string', default: 'pytania' },
    scale: { type: 'string', default: '1' },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const sayComplaints = (where: string, count: number, complaints: ReadonlyArray<Complaint>): void => {
  say(`${where}: ${count} queries, ${complaints.length} failed or took more than ${answerMsMax} ms`)
  for (const { kind, name, why } of complaints) say(`    ${kind}: ${name}: ${why}`)
}

const [queries, http] = [Number(values.queries), Number(values.http)]
const world = { seed: values.seed, scale: Number(values.scale) }
const startedMs = performance.now()
const inProcess = resolveQueries(world, queries, done => {
  if (done % 100_000 === 0) say(`    ${done} queries`)
})
sayComplaints('in process', queries, inProcess)
say(`    ${Math.round((performance.now() - startedMs) / 1000)} s`)
const overHttp = await askDaemon(world, queriesOf(world, http))
sayComplaints('over HTTP', http, overHttp)
process.exitCode = inProcess.length + overHttp.length === 0 ? 0 : 1
