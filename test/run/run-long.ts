import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from '#test/tidy/sources.js'
import { type ChosenPart, parts, partsOfTenth, tenthOf, tenths } from './long-parts.js'

/**
 * `npm run test:long [-- --tenth 3 | --of COMMIT | --part TEXT | --list]`: runs the parts that take long on purpose, two
 * at a time. `--tenth` (0 to 9) runs one tenth, and `--of` the tenth that a commit id chooses, as `.ci/run` does: ten
 * submissions cover about all of it. `--part` runs the parts whose names contain the text, whole. Prints the output of
 * a part when the part has ended. Exits with 1 where a part failed, and with 64 where no part is chosen.
 */

const lanes = 2

const { values } = parseArgs({
  options: {
    tenth: { type: 'string' },
    of: { type: 'string' },
    part: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const chooseParts = (): ReadonlyArray<ChosenPart> => {
  const tenth = values.of === undefined ? values.tenth : String(tenthOf(values.of))
  const all = parts.filter(({ name }) => name.includes(values.part))
  return tenth === undefined ? all.map(part => ({ part, share: null })) : partsOfTenth(all, Number(tenth))
}

const nameOf = ({ part, share }: ChosenPart): string =>
  share === null ? part.name : `${part.name}, share ${share} of ${tenths}`

/** Runs a part and returns whether it passed. */
const runPart = async (chosen: ChosenPart): Promise<boolean> => {
  const { part, share } = chosen
  const startedMs = performance.now()
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', ...part.args(share)], {
    cwd: root,
    env: { ...process.env, ...part.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Array<Buffer> = []
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => output.push(bytes))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  say(Buffer.concat(output).toString('utf8').trimEnd())
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  say(`${code === 0 ? 'passed' : 'FAILED'} ${seconds.padStart(4)} s  ${nameOf(chosen)}\n`)
  return code === 0
}

const chosen = chooseParts()
if (values.list) for (const one of chosen) say(`${String(one.part.seconds).padStart(5)} s  ${nameOf(one)}`)
else if (chosen.length === 0) {
  say('no part is chosen; --list shows them')
  process.exitCode = 64
} else {
  const waiting = [...chosen]
  const failed: Array<string> = []
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
      if (!(await runPart(one))) failed.push(nameOf(one))
  }
  await Promise.all(Array.from({ length: lanes }, work))
  say(`${chosen.length - failed.length} of ${chosen.length} parts passed`)
  for (const name of failed) say(`FAILED  ${name}`)
  if (failed.length > 0) process.exitCode = 1
}
