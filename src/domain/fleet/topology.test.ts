import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { fleetFile, fleetText, townNames } from '#test/support/fleet/topologies.js'
import { findingsOfTopology } from './role.js'
import { apexOfFlip, flipTopology, readTopology, townsMax } from './topology.js'

const reasonOf = (text: string): string => {
  const read = readTopology(fleetFile(text))
  return isLeft(read) ? read.left : ''
}

describe('the file of the fleet', () => {
  it('lists its towns with their addresses, and its apex', () => {
    const read = readTopology(
      fleetFile(fleetText('Erathia', 4, ['Erathia', 'Deyja'], { Deyja: { eligible: false } })),
    )
    ok(isRight(read))
    const { apex, term, towns } = read.right
    deepEqual([apex, term], ['Erathia', 4])
    deepEqual(
      [...towns.values()],
      [
        { name: 'Erathia', url: 'https://erathia.example/v1/api', isEligible: true, isSteppingDown: false },
        { name: 'Deyja', url: 'https://deyja.example/v1/api', isEligible: false, isSteppingDown: false },
      ],
    )
  })

  it('has term 0 where it is older than terms, and no town that steps down unless it says so', () => {
    const read = readTopology(
      fleetFile('{"apex": "A", "towns": {"A": {"url": "http://127.0.0.1:8080/v1/api/", "eligible": true}}}'),
    )
    ok(isRight(read))
    deepEqual([read.right.term, read.right.towns.get('A')?.isSteppingDown], [0, false])
    equal(read.right.towns.get('A')?.url, 'http://127.0.0.1:8080/v1/api')
  })

  const many = Array.from({ length: townsMax + 1 }, (_, n) => `Miasto ${n}`)
  const bad: ReadonlyArray<readonly [what: string, text: string, reason: RegExp]> = [
    ['it is empty', '', /JSON/],
    ['it is no object', '[]', /złe pole/],
    ['a key occurs twice', '{"apex": "A", "apex": "B", "towns": {}}', /JSON/],
    ['it has __proto__', '{"__proto__": {}, "apex": "A", "towns": {}}', /JSON/],
    ['the apex is no town', fleetText('Krewlod', 1), /apex/],
    ['a term is no whole number', fleetText('Erathia', 1.5), /\$\.term/],
    ['a term is negative', fleetText('Erathia', -1), /\$\.term/],
    ['a term is beyond 2^53', fleetText('Erathia', 1).replace('"term":1', '"term":9007199254740993'), /JSON/],
    ['a name is no name of a town', fleetText('../a', 1, ['../a']), /złe pole/],
    [
      'a town is reached without TLS',
      fleetText('A', 1, ['A'], { A: { url: 'http://a.example/v1/api' } }),
      /\.url/,
    ],
    [
      'an address has a password',
      fleetText('A', 1, ['A'], { A: { url: 'https://u:sekret@a.example' } }),
      /\.url/,
    ],
    [
      'a town does not say whether it is eligible',
      fleetText('A', 1, ['A'], { A: { eligible: null } }),
      /eligible/,
    ],
    ['it has too many towns', fleetText('Miasto 0', 1, many), /64/],
    ['it is too long', `${fleetText('Erathia', 1)}${' '.repeat(65_536)}`, /65536/],
  ]
  for (const [what, text, reason] of bad)
    it(`cannot be used where ${what}`, () => {
      match(reasonOf(text), reason)
      ok(!/sekret|example/.test(reasonOf(text)))
    })
})

describe('the rows of a file that can be read', () => {
  const far = { url: 'https://a.example/v1/api', eligible: true }
  const rows: ReadonlyArray<readonly [what: string, towns: object, unusable: ReadonlyArray<string>]> = [
    ['all usable', { A: far, B: { url: 'https://b.example/v1/api', eligible: true } }, []],
    [
      'all on one machine',
      { A: { ...far, url: 'http://127.0.0.1:1' }, B: { ...far, url: 'http://127.0.0.1:2' } },
      [],
    ],
    ['two with one address', { A: far, B: { ...far, url: 'https://A.example/v1/api/' } }, ['A', 'B']],
    [
      'one with an address of the reader',
      { A: far, B: { ...far, url: 'http://localhost:8080/v1/api' } },
      ['B'],
    ],
    ['two names that differ by case', { A: far, a: { ...far, url: 'https://b.example' } }, ['A', 'a']],
    ['a key in another spelling', { A: { ...far, stepping_down: true } }, ['A']],
    ['a key that nobody reads', { A: { ...far, note: 'x' } }, []],
  ]
  for (const [what, towns, unusable] of rows)
    it(`are findings where a host cannot use them: ${what}`, () => {
      const found = findingsOfTopology({
        _tag: 'File',
        file: fleetFile(JSON.stringify({ apex: 'A', term: 1, towns })),
      })
      deepEqual(
        found.map(({ kind, subject }) => [kind, subject]),
        unusable.map(town => ['TownUnusable', town]),
      )
    })
})

describe('a flip', () => {
  const text =
    '{"note": {"by": "Rada"}, "term": 7, "apex": "Erathia", "towns": {"Erathia": {"url": "https://a.example", "eligible": true, "steppingDown": true}, "Deyja": {"url": "https://b.example", "eligible": true}}}'

  it('changes the apex and raises the term, and nothing else', () => {
    const flipped = flipTopology(fleetFile(text), 'Deyja')
    deepEqual(JSON.parse(flipped ?? ''), { ...JSON.parse(text), apex: 'Deyja', term: 8 })
    ok(flipped?.startsWith('{\n  "note"') && flipped.endsWith('}\n'))
  })

  it('is not made to a town that the file does not list, nor of a file that cannot be read', () => {
    equal(flipTopology(fleetFile(text), 'Avlee'), null)
    equal(flipTopology(fleetFile('{'), 'Deyja'), null)
  })

  it('of a file without a term sets the first one', () => {
    const flipped = flipTopology(fleetFile(fleetText('Erathia', undefined)), townNames[0])
    match(flipped ?? '', /"term": 1\n/)
  })

  const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  const hostile: ReadonlyArray<readonly [what: string, text: string, term: number | null]> = [
    ['has the last term that a file can have', fleetText('Erathia', Number.MAX_SAFE_INTEGER), null],
    [
      'would be too long with spaces',
      fleetText('Erathia', 1).replace('{', `{"note": [${Array(500).fill(nested(60)).join(',')}],`),
      2,
    ],
    [
      'would be too long in any form',
      fleetText('Erathia', 1).replace('{', `{"note": [${Array(10_000).fill('1e20').join(',')}],`),
      null,
    ],
  ]
  for (const [what, file, term] of hostile)
    it(`makes no file that cannot be read: a file that ${what}`, () => {
      ok(isRight(readTopology(fleetFile(file))))
      const flipped = flipTopology(fleetFile(file), 'Deyja')
      const read = flipped === null ? null : readTopology(fleetFile(flipped))
      equal(read === null ? null : isRight(read) && read.right.term, term)
    })

  it('is told from a change of anything else in the file', () => {
    const file = fleetFile(text)
    const flipped = flipTopology(file, 'Deyja') ?? ''
    const changes: ReadonlyArray<readonly [from: string, to: string, apex: string | null]> = [
      ['', '', 'Deyja'],
      ['\n', ' ', 'Deyja'],
      ['"term": 8', '"term": 9', null],
      ['https://b.example', 'https://evil.example', null],
      ['"Rada"', '"Nikt"', null],
    ]
    for (const [from, to, apex] of changes)
      equal(apexOfFlip(fleetFile(flipped.replaceAll(from, to || from)), file), apex, to)
  })
})
