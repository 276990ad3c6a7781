import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { IntegrityFinding } from '#protocol/finding.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { sourceFile } from '#test/support/world.js'
import { doctor } from './doctor.js'

const makeFinding = (severity: Finding['severity'], line: number | null): Finding => ({
  kind: 'UnknownTag',
  severity,
  file: sourceFile('encje/indeks.md', '').path,
  line,
  subject: 'Orrin',
  reason: 'Znacznik @kolor nie należy do schematu.',
  suggestion: 'Popraw nazwę znacznika.',
})

const run = async (
  findings: ReadonlyArray<Finding>,
  json = false,
  notes: ReadonlyArray<IntegrityFinding> = [],
) => {
  const said: Array<string> = []
  const output = { out: (text: string) => void said.push(text), err: () => undefined, isTerminal: false }
  const code = await doctor(
    () => Promise.resolve(findings),
    () => Promise.resolve(notes),
    output,
  )({ repo: '.', json })
  return { code, said }
}

describe('kronika doctor', () => {
  it('prints the most severe first, with file, line and what to do', async () => {
    const { code, said } = await run([makeFinding('warning', 3), makeFinding('error', null)])
    equal(code, 65)
    deepEqual(said, [
      'Host:\nnothing to report\n',
      'Lore:\n' +
        'encje/indeks.md: error: Znacznik @kolor nie należy do schematu. [UnknownTag]\n    Popraw nazwę znacznika.\n' +
        'encje/indeks.md:3: warning: Znacznik @kolor nie należy do schematu. [UnknownTag]\n    Popraw nazwę znacznika.\n',
      '1 error, 1 warning, 0 info',
    ])
  })

  it('says adopt first before adoption, folds the rest and counts it, and keeps all in JSON', async () => {
    const old: Finding = { ...makeFinding('warning', null), kind: 'SchemaTooOld', reason: 'Stary format.' }
    const findings = [makeFinding('error', 1), makeFinding('warning', 2), old]
    const { code, said } = await run(findings)
    equal(code, 65)
    deepEqual(said, [
      'Host:\nnothing to report\n',
      'Lore:\nencje/indeks.md: warning: Stary format. [SchemaTooOld]\n    Popraw nazwę znacznika.\n',
      'adopt first: kronika adopt . --dry-run shows what adoption would change, and lists what it finds.\n' +
        '    2 other findings about the lore; kronika doctor --json lists them all.\n',
      '1 error, 2 warnings, 0 info',
    ])
    const printed: unknown = JSON.parse((await run(findings, true)).said.join(''))
    equal(typeof printed === 'object' && printed !== null && Reflect.get(printed, 'count'), 3)
  })

  it('is content with notes alone', async () => {
    const { code, said } = await run([makeFinding('info', 1), makeFinding('info', 2)])
    deepEqual([code, said.at(-1)], [0, '0 errors, 0 warnings, 2 info'])
  })

  it('prints JSON of the integrity shape, with the keys of earlier versions', async () => {
    const { said } = await run([makeFinding('warning', 3)], true)
    const printed: unknown = JSON.parse(said.join(''))
    const item = {
      Kind: 'UnknownTag',
      Severity: 'Warning',
      Subject: 'Orrin',
      Detail: 'Znacznik @kolor nie należy do schematu.',
      File: 'encje/indeks.md',
      Line: 3,
      Suggestion: 'Popraw nazwę znacznika.',
    }
    deepEqual(printed, { host: [], lore: [item], count: 1, items: [item], checkout: [] })
  })

  const note: IntegrityFinding = {
    Kind: 'HeadOnNoBranch',
    Severity: 'Error',
    Subject: 'HEAD',
    Detail: 'HEAD is on no \u001bbranch.',
    File: null,
    Line: null,
    Suggestion: 'git switch BRANCH',
  }

  it('lists the host before the lore, and fails for an error of the host alone', async () => {
    const { code, said } = await run([makeFinding('info', 1)], false, [note])
    equal(code, 65)
    deepEqual(
      [said[0], said[1]?.startsWith('Lore:\nencje/indeks.md:1: info: '), said.at(-1)],
      [
        'Host:\ncheckout HEAD: error: HEAD is on no \\u001bbranch. [HeadOnNoBranch]\n    git switch BRANCH\n',
        true,
        '1 error, 0 warnings, 1 info',
      ],
    )
    const printed: unknown = JSON.parse((await run([], true, [note])).said.join(''))
    deepEqual(printed, { host: [note], lore: [], count: 0, items: [], checkout: [note] })
  })

  it('lists findings of the committed configuration with the host, the most severe first', async () => {
    const config: Finding = {
      ...makeFinding('error', 2),
      kind: 'ConfigInvalid',
      file: sourceFile('.svc/config.json', '').path,
      reason: 'The key server.port wants a port.',
    }
    const { code, said } = await run([makeFinding('info', 1), config], false, [{ ...note, Severity: 'Info' }])
    equal(code, 65)
    const [host = '', lore = ''] = said
    deepEqual(
      [...host.matchAll(/^\S.*\[(\w+)\]$/gm)].map(([, kind]) => kind),
      ['ConfigInvalid', 'HeadOnNoBranch'],
    )
    equal(host.includes('\n.svc/config.json:2: error: The key'), true)
    equal(lore.includes('ConfigInvalid'), false)
  })
})

describe('what lore says on a terminal', () => {
  it('is shown without its escapes', async () => {
    const { said } = await run([{ ...makeFinding('warning', 3), reason: 'Znacznik \u001b[1mzły\u001b[0m.' }])
    equal(said.join('\n').includes('\u001b'), false)
    equal(said[1]?.includes('\\u001b[1mzły'), true)
  })
})
