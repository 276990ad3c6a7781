import { parseArgs } from 'node:util'
import { askDaemon } from './ask-daemon.js'
import { answerMsMax, type Complaint, queriesOf, resolveQueries } from './resolve-queries.js'
import { fuzzTranscripts, growing, judgeGrowth } from './transcripts.js'

/**
 * `npm run fuzz [-- --queries 1000000 --seed text --scale 1]`: asks the resolver of names hostile queries in this process, and 1,000
 * more of the built daemon as bodies of `POST /resolve`. Leaves with 1 where an answer failed or took more than 50 ms of
 * processor time. With `--transcripts 100000` it gives that many hostile transcripts to the parser instead, and large ones
 * of each kind, of which one of twice the bytes may take thrice the processor time.
 */

const { values } = parseArgs({
  options: {
    queries: { type: 'string', default: '100000' },
    http: { type: 'string', default: '1000' },
    seed: { type: 'string', default: 'pytania' },
    scale: { type: 'string', default: '1' },
    transcripts: { type: 'string' },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const sayComplaints = (where: string, count: number, complaints: ReadonlyArray<Complaint>): void => {
  say(`${where}: ${count} queries, ${complaints.length} failed or took more than ${answerMsMax} ms`)
  for (const { kind, name, why } of complaints) say(`    ${kind}: ${name}: ${why}`)
}

const parseTranscripts = (count: number): number => {
  const complaints = fuzzTranscripts(values.seed, count, done => {
    if (done % 10_000 === 0) say(`    ${done} transcripts`)
  })
  say(`transcripts: ${count} parsed, ${complaints.length} against a law`)
  for (const { input, why } of complaints.slice(0, 20)) say(`    ${why}: ${input}`)
  let slow = 0
  for (const [kind, times, text] of growing) {
    const { ratio, why } = judgeGrowth(times, text)
    say(`    ${kind}: ${ratio.toFixed(2)} times as long for twice the bytes${why === null ? '' : `: ${why}`}`)
    if (why !== null) slow += 1
  }
  return complaints.length + slow
}

const resolveNames = async (): Promise<number> => {
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
  return inProcess.length + overHttp.length
}

const found =
  values.transcripts === undefined ? await resolveNames() : parseTranscripts(Number(values.transcripts))
process.exitCode = found === 0 ? 0 : 1
