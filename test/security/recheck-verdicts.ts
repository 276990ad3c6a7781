import { readFileSync, writeFileSync } from 'node:fs'
import * as t from 'io-ts'
import { check, type Diagnostics } from 'recheck'
import { type Pattern, patternsOf } from '#test/support/patterns.js'
import { isTest, sources } from '#test/tidy/sources.js'

/**
 * Literals that recheck found safe and takes long for, with the version that found so: a run takes its word for the same
 * literal and the same version. `npm run recheck` asks anew and writes them; `RECHECK_ALL=1 npm test`, as in `.ci/run`,
 * takes no word.
 */
const Verdicts = t.strict({ recheck: t.string, safe: t.readonlyArray(t.string) }, 'Verdicts')
type Verdicts = t.TypeOf<typeof Verdicts>

const file = new URL('recheck-verdicts.json', import.meta.url)
const longMs = 100

const Package = t.type({ version: t.string })

const decodeFile = <A>(codec: t.Decoder<unknown, A>, from: URL): A => {
  const read = codec.decode(JSON.parse(readFileSync(from, 'utf8')))
  if (read._tag === 'Left') throw new Error(`${from.pathname} is not what it must be`)
  return read.right
}

const readInstalledVersion = (): string =>
  decodeFile(Package, new URL('../../node_modules/recheck/package.json', import.meta.url)).version

export const readVerdicts = (): Verdicts => decodeFile(Verdicts, file)

export const literalOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`

/** The regular expressions of the program, each once. */
export const programPatterns = (): ReadonlyArray<Pattern> =>
  patternsOf(sources.filter(({ path }) => !isTest(path)))

/** Patterns that a run has to ask recheck about. */
export const unknownPatterns = (
  patterns: ReadonlyArray<Pattern>,
  verdicts: Verdicts,
  version = readInstalledVersion(),
): ReadonlyArray<Pattern> => {
  const safe = new Set(verdicts.recheck === version ? verdicts.safe : [])
  return patterns.filter(pattern => !safe.has(literalOf(pattern)))
}

/** Without its time limits, since recheck takes a limit that a busy machine ran into for a vulnerability. */
export const judgePattern = ({ source, flags }: Pattern): Promise<Diagnostics> =>
  check(source, flags, { timeout: null, attackTimeout: null, incubationTimeout: null })

/** Asks recheck about every pattern of the program and writes the safe ones that it took long for. */
export const writeVerdicts = async (): Promise<void> => {
  const safe: Array<string> = []
  for (const pattern of programPatterns()) {
    const fromMs = performance.now()
    const { status } = await judgePattern(pattern)
    if (status === 'safe' && performance.now() - fromMs > longMs) safe.push(literalOf(pattern))
  }
  const verdicts: Verdicts = { recheck: readInstalledVersion(), safe: safe.sort() }
  writeFileSync(file, `${JSON.stringify(verdicts, null, 2)}\n`)
}
