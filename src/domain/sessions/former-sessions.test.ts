import { deepEqual, equal } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { allFindings } from '#src/snapshot/all-findings.js'
import { freeHeader } from '#src/writing/sessions/create.js'
import { worldOf } from '#test/support/world.js'
import { closingOf } from './effects/closed-sessions.js'
import { hashesPath } from './hashes.js'
import { formerLinesInSlices } from './reading/session-file.js'
import { listOpenSessions } from './session-answers.js'

const sha = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** The hash of effects as releases up to 0.4.0 recorded it: Zmiany, Transfers, PU, Intel. */
const hashOf = (changes: unknown, transfers: unknown, points: unknown, intel: unknown): string =>
  sha(JSON.stringify([changes, transfers, points, intel]))

const closeRow = (header: string, effects?: string): string =>
  JSON.stringify({
    header,
    op: 'close',
    at: '2026-01-01T00:00:00Z',
    by: 'test',
    source: 'close',
    ...(effects === undefined
      ? {}
      : { meaning: { effects, blocks: [], owners: [], purses: [], recipients: [] } }),
  })

const batchRow = (id: string, ...sessions: ReadonlyArray<string>): string =>
  JSON.stringify({ id, month: null, at: '2026-01-01T00:00:00Z', source: 'legacy', sessions, awards: [] })

const world = (
  sessions: string,
  ledger: ReadonlyArray<string>,
  more: Readonly<Record<string, string>> = {},
) =>
  worldOf({
    'encje/indeks.md': '### Anna\n- @typ: Postać\n',
    'sesje/a.md': sessions,
    '.svc/close/ledger.jsonl': ledger.map(row => `${row}\n`).join(''),
    ...more,
  })

const header = '2024-05-03, Most, Brzoza'

/** What the list says of settled sessions. */
const settled = (...args: Parameters<typeof world>) =>
  allFindings(world(...args)).flatMap(({ kind, file, line, subject }) =>
    ['ClosedSessionChanged', 'SettledReadingDiffers'].includes(kind) ? [[kind, file, line, subject]] : [],
  )

const listed = (line: number, subject = header) => ['SettledReadingDiffers', 'sesje/a.md', line, subject]

describe('a settled session', () => {
  const written = [
    `${header} ###`,
    `### ${header}`,
    `${header} <!-- na próbę -->`,
    `<!-- poprawić --> ${header}`,
    header.toUpperCase(),
    '2024-05-03,  Most, Brzoza #',
  ]

  it('stays closed, distributed and settled however its header is written in a ledger', () => {
    for (const row of written) {
      const batches = { '.svc/pu/batches.jsonl': `${batchRow('1', row)}\n` }
      const closed = world(`### ${header}\n\nProza.\n`, [closeRow(row)])
      equal(closingOf(closed, header), 'closed', row)
      deepEqual(listOpenSessions(closed), [], row)
      equal(closingOf(world(`### ${header}\n`, [], batches), header), 'settled', row)
      deepEqual(
        allFindings(world(`### ${header}\n`, [], batches)).filter(
          ({ kind }) => kind === 'SettledSessionUnknown',
        ),
        [],
        row,
      )
    }
  })

  it('stays closed however its header is written in its file', () => {
    for (const heading of [` ### ${header} ###`, `### ${header}<!-- na próbę -->`, `\ufeff### ${header}`])
      deepEqual(listOpenSessions(world(`Wstęp.\n\n${heading}\n\nProza.\n`, [closeRow(header)])), [], heading)
  })

  it('keeps its baseline and its draft under a header that is written otherwise', () => {
    const text = `### ${header}\n\nProza.\n`
    for (const row of written) {
      const line = JSON.stringify({ header: row, sha256: sha(text), at: 'T', by: 'x' })
      deepEqual(
        allFindings(world(text, [], { [hashesPath]: line })).filter(({ kind }) => kind.includes('Session')),
        [],
        row,
      )
      const draft = { '.svc/staged/a.md': `### ${row.replace(/^### /u, '')}\n\nProza.\n` }
      equal(freeHeader(world('', [], draft), header)._tag, 'Left', row)
    }
  })

  it('keeps a baseline that ends in a comment, which was a part of the text', () => {
    const text = `### ${header}\n\nProza.\n\n<!-- do poprawy -->\n`
    const kinds = (sha256: string) =>
      allFindings(
        world(text, [], { [hashesPath]: JSON.stringify({ header, sha256, at: 'T', by: 'x' }) }),
      ).filter(({ kind }) => kind === 'SessionDrift').length
    deepEqual([sha(text), sha(`### ${header}\n\nProza.\n`), sha('x')].map(kinds), [0, 0, 1])
  })
})

describe('the former reader', () => {
  it('knew headers at the margin, fences of backticks and lines that end with LF alone', () => {
    const texts = [
      ...[
        '# a',
        '###b ###',
        '### c <!-- x -->',
        ' ### d',
        '###',
        '\t# e',
        '####### f',
        '- g',
        '   12. h',
        '\t* i',
      ],
      ...['<!--', '~~~', '- j\r### k', '\u200b- l', '', '``` m ```', '### n', '  ```', '- o'],
    ]
    const lines = atOnce(formerLinesInSlices(`${texts.join('\n')}\n`))
    deepEqual(
      lines.map(line => {
        if (line._tag === 'Header') return `${'#'.repeat(line.level)} ${line.text}`
        if (line._tag === 'Item') return `${line.indent}- ${line.text}`
        return line._tag === 'Text' ? `${line.indent} ${line.text}` : line._tag
      }),
      [
        ...[
          '# a',
          '### b ###',
          '### c <!-- x -->',
          '1 ### d',
          '0 ###',
          '4 # e',
          '####### f',
          '0- g',
          '2- h',
          '4- i',
        ],
        ...['0 <!--', '0 ~~~', '0- j\r### k', '0 \u200b- l', 'Blank', 'Fenced', 'Fenced', 'Fenced', '0- o'],
      ],
    )
  })
})

describe('effects that the former reader read differently', () => {
  it('are listed once, and are no change of the closed session', () => {
    const points = (value: string | null) => [['Anna', value]]
    const cases: ReadonlyArray<readonly [string, string]> = [
      ['- @PU:\n    - Anna: 1/2', hashOf([], [], points('1'), [])],
      ['- @PU:\n    - Anna: 0,5.', hashOf([], [], points('0.5'), [])],
      ['- @PU:\n    - Anna: 1 000', hashOf([], [], points('1'), [])],
      ['<!--\n- @PU:\n    - Anna: 1\n-->', hashOf([], [], points('1'), [])],
      ['~~~\n- @PU:\n    - Anna: 1\n~~~', hashOf([], [], points('1'), [])],
      ['```TAK``` napis\n- @PU:\n    - Anna: 1', hashOf([], [], [], [])],
      ['- @Intel:\n    - Anna <!-- ? -->: Wieść', hashOf([], [], [], [['Anna <!-- ? -->', 'Wieść']])],
      ['- @Transfer: 1 000 koron, A -> B', hashOf([], [[1, '000 koron', 'A', 'B']], [], [])],
      [
        '- @Zmiany:\n    - Anna\n        - @ilość: +3 (za finał)',
        hashOf([['Anna', [['ilość', '+3 (za finał)']]]], [], [], []),
      ],
    ]
    for (const [blocks, effects] of cases) {
      const text = `### ${header}\n\n${blocks}\n`
      deepEqual(settled(text, [closeRow(header, effects)]), [listed(1)], blocks)
      deepEqual(settled(text, [closeRow(header)]), [listed(1)], blocks)
      deepEqual(settled(text, []), [], blocks)
      const changed = [['ClosedSessionChanged', 'sesje/a.md', 1, header]]
      deepEqual(settled(text, [closeRow(header, sha('x'))]), changed, blocks)
    }
  })

  it('are not listed where both readers agree, or the session was closed under the present one', () => {
    const text = `### ${header}\n\n- @PU:\n    - Anna: 0,50\n\n\`\`\`\n- @PU:\n    - Anna: 9\n\`\`\`\n`
    deepEqual(settled(text, [closeRow(header, hashOf([], [], [['Anna', '0.50']], []))]), [])
    const half = `### ${header}\n\n- @PU:\n    - Anna: 1/2\n`
    deepEqual(settled(half, [closeRow(header, hashOf([], [], [['Anna', null]], []))]), [])
  })

  it('are listed of a session that is now hidden, at its former place', () => {
    const text = `### 2024-01-01, Inna, Brzoza\n\nProza.\n\n<!--\n### ${header}\n\n- @PU:\n    - Anna: 1\n-->\n`
    deepEqual(settled(text, [closeRow(header, hashOf([], [], [['Anna', '1']], []))]), [listed(6)])
  })

  it('are those of the very header, where two are one session now', () => {
    const text = `### ${header} ###\n- @PU:\n    - Anna: 1\n\n### ${header}\n- @PU:\n    - Bruno: 2\n`
    deepEqual(settled(text, [closeRow(`${header} ###`, hashOf([], [], [['Anna', '1']], []))]), [listed(1)])
  })

  it('are listed once for a batch, with the headers', () => {
    const other = '2024-06-03, Bród, Brzoza'
    const text = `### ${header}\n- @PU:\n    - Anna: 1/2\n\n### ${other}\n- @PU:\n    - Anna: 1\n`
    const batches = { '.svc/pu/batches.jsonl': `${batchRow('1', other)}\n${batchRow('2', `${header} #`)}\n` }
    deepEqual(settled(text, [], batches), [['SettledReadingDiffers', '.svc/pu/batches.jsonl', 2, '2']])
  })
})
