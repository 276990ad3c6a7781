import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { type DiffedFile, diffFor, publicDiff, showPreview } from './preview.js'

const text = (...lines: ReadonlyArray<string>): string => lines.map(line => `${line}\n`).join('')

const changeOf = (path: string, before: string | null, after: string | null): DiffedFile => ({
  path: sourceFile(path, '').path,
  before,
  after,
  splices: null,
})

const row = '- @lokacja: Karczma'
const index = changeOf(
  'encje/indeks.md',
  text('### Wit', '- @typ: Postać', row, '### Orrin', '- @typ: NPC', row),
  text('### Wit', '- @typ: Postać', `${row} Dolna`, '### Orrin', '- @typ: NPC', `${row} Dolna`),
)
const session = changeOf('sesje/2026.md', text('## 2026-05-01, Most, Odo', 'Karczma'), text('Karczma Dolna'))
const moved = [
  changeOf('Postaci/Gracze/Wit.md', text('# Wit', '- dług'), null),
  changeOf('Postaci/Gracze/Wit Kłos.md', null, text('# Wit', '- dług')),
]
const report = changeOf('zgłoszenia/2026-05-01-ab.md', null, text('## 2026-05-01, Most, Odo', 'Dzień.'))

const isKnown = (path: string): boolean => path === 'encje/indeks.md'
const showTo = (changes: ReadonlyArray<DiffedFile>, ...holds: ReadonlyArray<string>) =>
  diffFor({ holds: new Set(holds) }, changes, isKnown)

describe('the diff of a dry run by what its caller may read', () => {
  it('is whole, and nothing beside it, for a caller who may read all files', () => {
    const all = [index, session, ...moved, report]
    deepEqual(showTo(all, 'admin.all'), { diff: publicDiff(all) })
    deepEqual(showTo(all, 'entity.read', 'session.read'), { diff: publicDiff(all) })
  })

  it('has counts and the missing capabilities in place of lines that the caller may not read', () => {
    deepEqual(showTo([index, session], 'entity.write'), {
      diff: '',
      withheld: [
        { file: 'encje/indeks.md', added: 2, removed: 2, required: ['entity.read'] },
        { file: null, added: 1, removed: 2, required: ['session.read'] },
      ],
    })
  })

  it('shows the files that the caller may read beside those that they may not', () => {
    const { diff, withheld } = showTo([index, session], 'entity.read')
    equal(diff, publicDiff([index]))
    deepEqual(withheld, [{ file: null, added: 1, removed: 2, required: ['session.read'] }])
  })

  it('shows of an index the Postacie alone to a caller who may read people alone', () => {
    const { diff, withheld } = showTo([index], 'player.read')
    deepEqual(diff.split('\n').slice(2), [
      '@@ -3,1 +3,1 @@',
      `-${row}`,
      `+${row} Dolna`,
      '@@ -6,1 +6,1 @@',
      '-[withheld]',
      '+[withheld]',
      '',
    ])
    deepEqual(withheld, [{ file: 'encje/indeks.md', added: 1, removed: 1, required: ['entity.read'] }])
  })

  it('says that readers of people may see lines of a Postać', () => {
    const of = changeOf(
      'encje/indeks.md',
      text('### Wit', '- @typ: Postać', row),
      text('### Wit', '- @typ: Postać'),
    )
    deepEqual(showTo([of], 'player.write').withheld, [
      { file: 'encje/indeks.md', added: 0, removed: 1, required: ['entity.read', 'player.read'] },
    ])
  })

  it('tells no position in a file of which the caller may read no line', () => {
    const of = changeOf('sesje/2026.md', text('a', 'b'), text('a', 'nowa', 'b'))
    equal(showTo([of], 'session.write').diff.split('\n')[2], '@@ -0,0 +0,1 @@')
    equal(showTo([of], 'session.read').diff, publicDiff([of]))
  })

  it('repeats no line of a file that the write moves', () => {
    const { diff, withheld = [] } = showTo(moved, 'player.write')
    equal(diff, '')
    deepEqual(
      withheld.map(({ file, added, removed }) => [file, added, removed]),
      [
        [null, 0, 2],
        [null, 2, 0],
      ],
    )
  })

  it('shows what the caller sent, where the write takes no line away', () => {
    deepEqual(showTo([report], 'session.report'), { diff: publicDiff([report]) })
    const { diff } = showTo([report, session], 'session.report')
    ok(!diff.includes('Dzień.'))
  })

  it('takes no line of a generated file for one that the caller sent', () => {
    const registry = changeOf('Lokacje/Most/Sesje.md', null, text('- 2026-05-01, Most, Odo'))
    deepEqual(showTo([registry], 'session-registry.regenerate').withheld, [
      { file: null, added: 1, removed: 0, required: ['session.read'] },
    ])
  })

  it('names a path that the layout fixes, or that the row answers with', () => {
    const store = changeOf('kontrybutorzy.md', text('a'), text('b'))
    const preview = { wouldUpdate: 'x', files: ['sesje/2026.md'] }
    const body = showPreview({ preview }, [store, session, index], { holds: new Set() })
    const withheld: unknown = Reflect.get(body, 'withheld')
    ok(Array.isArray(withheld))
    deepEqual(
      withheld.map((one: unknown): unknown => Reflect.get(Object(one), 'file')),
      ['kontrybutorzy.md', 'sesje/2026.md', null],
    )
  })
})
