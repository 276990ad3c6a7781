import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { parseBlocks } from '#src/domain/lore/blocks.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { type Line, linesOf, rawLines } from '#src/domain/lore/lines.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { parseCharacterFile } from '#src/domain/people/character-file.js'
import { parseContributorStore } from '#src/domain/people/contributor-store.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import { patchEntity } from '#src/writing/entities/entity-writes.js'
import { renameEntity } from '#src/writing/entities/rename.js'
import { patchPlan } from '#src/writing/sessions/patch.js'
import { areWhole } from '#test/support/runs.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'

/** Each property is tried on so many random files in the whole tier. */
const numRuns = areWhole ? 10_000 : 60

/** Lines that would mean something if they showed: rows, headings, borders of fences, ends of line. */
const hiddenLine = fc.constantFrom(
  'uwaga',
  '',
  '- @rola: Radny',
  '- @gameid: 999',
  '- @status: Usunięty',
  '- @alias: Obcy',
  '- @PU:',
  '    - Iskra: 9',
  '### Obcy',
  '## Gracz',
  '### 2026-03-03, Obca, N',
  '**Stan:** Martwy.',
  '====',
)
const hiddenLines = fc.array(hiddenLine, { minLength: 1, maxLength: 4 })

/** Lines between which the text means the same; whether a reader is told of them where they hide something. */
type Hiding = ReadonlyArray<string>
const comment: fc.Arbitrary<Hiding> = hiddenLines.chain(lines =>
  fc.constantFrom(
    ['<!--', ...lines, '-->'],
    [`<!-- ${lines[0]}`, ...lines.slice(1), '  -->'],
    [`<!-- ${lines[0]} -->`],
    ['<!--', '<!-- w środku -->', ...lines, '-->'],
    ['<!--', '```', ...lines, '-->'],
    ['<!--', '~~~', ...lines, '-->'],
  ),
)
const conflict: fc.Arbitrary<Hiding> = fc
  .tuple(hiddenLines, hiddenLines)
  .chain(([one, other]) =>
    fc.constantFrom(
      ['<<<<<<< HEAD', ...one, '=======', ...other, '>>>>>>> gałąź'],
      ['<<<<<<< HEAD', ...one, '||||||| baza', '```', '=======', ...other, '>>>>>>> gałąź'],
      ['<<<<<<< HEAD', '<!--', '=======', ...other, '>>>>>>>'],
    ),
  )
const fence: fc.Arbitrary<Hiding> = hiddenLines
  .map(lines => [...lines, '- @alias: Obcy'])
  .chain(lines =>
    fc.constantFrom(
      ['```', ...lines, '```'],
      ['~~~ wzór', ...lines, '```', '~~~~'],
      ['````', '```', ...lines, '`````  '],
      ['    ```js', ...lines, '  ```'],
      ['- ~~~', ...lines, '  ~~~'],
    ),
  )

/** What one line becomes without meaning another thing; `nth` chooses a place in it. */
type Dress = (line: string, nth: number) => string
const isHeading = (line: string): boolean => /^#{1,6} /u.test(line)
const dresses: ReadonlyArray<Dress> = [
  line => (line === '' ? line : `${line} <!-- uwaga -->`),
  line => (line === '' ? line : `${line}<!-- - @rola: Radny --> <!-- b -->`),
  (line, nth) => {
    const blanks = [...line.matchAll(/(?<=[\p{L}\d]) (?=\p{L})/gu)].map(({ index }) => index)
    const at = blanks[nth % Math.max(1, blanks.length)]
    return at === undefined ? line : `${line.slice(0, at)} <!-- ${nth} -->${line.slice(at)}`
  },
  line => (line === '' ? line : `<!-- a -->${line}`),
  line => (line === '' ? line : `\ufeff${line}`),
  line => (line === '' ? line : `\u200b${line}\u00ad`),
  line => line.replace(/^(\s*[-*+]) /u, '$1\u2060 '),
  line => (isHeading(line) ? ` ${line}` : line),
  line => (isHeading(line) ? `   ${line} ##` : line),
  line => (isHeading(line) ? `${line} ### <!-- a -->` : line),
]

interface Decor {
  readonly at: number
  readonly hiding: Hiding | null
  readonly dress: number
  readonly nth: number
  /** Lines of a comment that begins in the line and ends below it, or in the next line. */
  readonly open: ReadonlyArray<string> | null
}
const hiding = (kinds: ReadonlyArray<fc.Arbitrary<Hiding>>): fc.Arbitrary<Decor> =>
  fc.record({
    at: fc.nat(),
    hiding: fc.option(fc.oneof(...kinds), { nil: null }),
    dress: fc.nat(),
    nth: fc.nat(20),
    open: fc.option(hiddenLines, { nil: null }),
  })

/** A text with decorations, each before a line or in it. */
const decorate = (text: string, decors: ReadonlyArray<Decor>): string => {
  const lines = rawLines(text).map(line => ({
    line,
    before: Array<string>(),
    isDressed: line === '',
    isSealed: false,
  }))
  for (const { at, hiding: hidden, dress, nth, open } of decors) {
    const [place, next] = [lines[at % lines.length], lines[(at % lines.length) + 1]]
    if (place === undefined) continue
    if (hidden !== null) {
      if (!place.isSealed) place.before.push(...hidden)
    } else if (place.isDressed) continue
    else if (open !== null && next?.isSealed === false) {
      place.line += ' <!-- od tego'
      place.isDressed = true
      const isBelow = next.isDressed || next.before.length > 0 || nth % 2 === 0
      next.before.unshift(...open, ...(isBelow ? ['do tego -->'] : []))
      if (!isBelow) {
        next.line = `do tego -->${next.line}`
        next.isDressed = true
        next.isSealed = true
      }
    } else {
      place.line = dresses[dress % dresses.length]?.(place.line, nth) ?? place.line
      place.isDressed = true
    }
  }
  return `${lines.flatMap(({ before, line }) => [...before, line]).join('\n')}\n`
}

const newlines = fc.constantFrom('\n', '\r\n', '\r')
const decorated = (text: string, kinds = [comment, conflict]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(hiding(kinds), { maxLength: 8 }), newlines)
    .map(([decors, newline]) => decorate(text, decors).replaceAll('\n', newline))

const index = `# Indeks

### Wit Kłos
- @typ: Postać
- @należy_do: Brzoza
- @alias: Kłos (2024-01:)
- @info: Pierwsza wiadomość
  dalszy ciąg

  po przerwie
- @status: Aktywny (2024-01:)

### Grab Stary
- @typ: NPC
- @alias:
    - Grabek (2023:)
    - Dziadek
- @lokacja: Port Zamorze (2024-02:)

### Port Zamorze
- @typ: Lokacja
`

const store = `## Gracz
### Brzoza
- @gameid: 100
- @rola: Radny (2024-01:)
- @chat: BRAK

### Cis
- @gameid: 200 (2023:)
- @alias: Cisek
- @chat: BRAK

## Role
### Radny
- @chatrola: Rada
`

const header = '2026-05-10, Most nad rzeką, Brzoza'
const sessions = `# Kronika

### 2026-01-01, Przed, Cis
- @PU:
    - Iskra: 0.25

### ${header}
- @Lokacje:
    - Port Zamorze
- @PU:
    - Iskra: 0.5
    - Wit Kłos: 0.25
- @Zmiany:
    - Wit Kłos
        - @stan: Ranny

Pierwszy akapit o moście.
Drugi wiersz akapitu.

Trzeci.

### 2026-06-01, Po niej, Cis
Proza na końcu.
`

const legacy = `### ${header}
*Lokalizacje: Port Zamorze, Las*

Proza.

Logi: https://logi.example/1
- PU:
  - Iskra: 0,5
  - Wit Kłos: 0,25
- Zmiany:
  - Wit Kłos
    - @stan: Ranny
`

const sheet = `**Karta Postaci:** https://karty.example/wit

**Stan:**
Zdrowy jak ryba.

**Reputacja:**
- Pozytywna:
    - Port Zamorze: za most
    - Las
- Negatywna: Góra

**Dodatkowe informacje:**
- Ma blizny na ręku.
- Lubi psy.

**Opisane sesje:**

### ${header}
`

const rowOf = ({ tag, value, range, auto }: Row) => ({ tag, value, range, auto })
const index1 = (text: string) =>
  parseBlocks(sourceFile('encje/indeks.md', text)).blocks.map(({ heading, section, rows }) => ({
    heading,
    section,
    rows: rows.map(rowOf),
  }))
const people = (text: string) => {
  const { all, roles } = parseContributorStore(sourceFile('kontrybutorzy.md', text))
  return {
    all: all.map(({ name, rows }) => ({ name, rows: rows.map(rowOf) })),
    roles: roles.map(({ name, chatRoles }) => ({ name, chatRoles })),
  }
}
/** Values without the numbers of their lines. */
const placeless = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, one: unknown) => (/^(?:line|endLine)$/u.test(key) ? undefined : one)),
  )
const copies = (text: string) => placeless(parseSessionFile(sourceFile('sesje/2026.md', text)).copies)
const character = (text: string) => {
  const { findings: _, ...said } = parseCharacterFile(sourceFile('Postaci/Gracze/Wit Kłos.md', text))
  return placeless(said)
}

interface Kind {
  readonly path: string
  readonly text: string
  readonly read: (text: string) => unknown
  readonly findings: (text: string) => ReadonlyArray<Finding>
}
const kinds: ReadonlyArray<Kind> = [
  {
    path: 'encje/indeks.md',
    text: index,
    read: index1,
    findings: text => parseBlocks(sourceFile('encje/indeks.md', text)).findings,
  },
  {
    path: 'kontrybutorzy.md',
    text: store,
    read: people,
    findings: text => parseContributorStore(sourceFile('kontrybutorzy.md', text)).findings,
  },
  {
    path: 'sesje/2026.md',
    text: sessions,
    read: copies,
    findings: text => parseSessionFile(sourceFile('sesje/2026.md', text)).findings,
  },
  {
    path: 'Postaci/Gracze/Wit Kłos.md',
    text: sheet,
    read: character,
    findings: text => parseCharacterFile(sourceFile('Postaci/Gracze/Wit Kłos.md', text)).findings,
  },
]

describe('lore with comments, conflicts, blanks, signs that do not show and any line ends', () => {
  for (const { path, text, read, findings } of kinds) {
    it(`means what it means without them: ${path}`, () => {
      const right = read(text)
      fc.assert(
        fc.property(decorated(text), one => {
          deepEqual(read(one), right)
        }),
        { numRuns },
      )
    })

    it(`means the same beside fences, or tells of them: ${path}`, () => {
      const right = read(text)
      fc.assert(
        fc.property(decorated(text, [fence, fence, comment]), one => {
          try {
            deepEqual(read(one), right)
          } catch (error) {
            ok(findings(one).length > 0, String(error))
          }
        }),
        { numRuns },
      )
    })

    it(`means nothing of what is wrapped, and tells of it: ${path}`, () => {
      const lines = rawLines(text)
      const wraps: ReadonlyArray<readonly [string, string]> = [
        ['<!--', '-->'],
        ['<<<<<<< HEAD', '>>>>>>> x'],
        ['<!-- dawniej', 'koniec -->'],
      ]
      fc.assert(
        fc.property(
          fc.nat(lines.length - 1),
          fc.nat(lines.length),
          fc.constantFrom(...wraps),
          fc.boolean(),
          (from, count, [open, close], isClosed) => {
            const to = isClosed ? Math.min(lines.length, from + count + 1) : lines.length
            const bare = [...lines.slice(0, from), ...lines.slice(to)].join('\n')
            const wrapped = [
              ...lines.slice(0, from),
              open,
              ...lines.slice(from, to),
              ...(isClosed ? [close] : []),
              ...lines.slice(to),
            ].join('\n')
            const [now, right] = [read(wrapped), read(bare)]
            deepEqual(now, right)
            // A comment that hides prose alone changes nothing that counts.
            const isRow = (line: Line): boolean =>
              line._tag === 'Header' || line._tag === 'Item' || (line._tag === 'Text' && line.indent > 0)
            const hides = linesOf(lines.slice(from, to).join('\n')).lines.some(isRow)
            const isSilent = path.startsWith('sesje/') && !/^### \d{4}-/mu.test(wrapped)
            if ((hides || !isClosed) && !isSilent) ok(findings(wrapped).length > 0, wrapped)
          },
        ),
        { numRuns },
      )
    })
  }
})

/** All that does not show in a text, in its order, without blanks. */
const hiddenText = (text: string): string =>
  linesOf(text)
    .lines.map(({ _tag, raw, comments }) =>
      _tag === 'Hidden' ? raw : [comments?.above ?? '', ...(comments?.own ?? [])].join(''),
    )
    .join('')
    .replace(/\s/gu, '')

/** The lines of a text with their ends, without those at the numbers. */
const linesBut = (text: string, gone: (line: Line) => boolean): ReadonlyArray<string> => {
  const exact = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/gu) ?? []
  return linesOf(text).lines.flatMap(line => (gone(line) ? [] : [exact[line.number - 1] ?? '']))
}

const isSubsequence = (some: ReadonlyArray<string>, all: ReadonlyArray<string>): boolean => {
  let next = 0
  for (const one of all) if (one === some[next]) next += 1
  return next === some.length
}

/** Every line that a write does not edit is there as it was, and everything that does not show too. */
const keepsOthers = (before: string, after: string, isEdited: (line: Line) => boolean): void => {
  equal(hiddenText(after), hiddenText(before))
  const others = linesBut(before, line => isEdited(line) || line.comments !== undefined)
  ok(
    isSubsequence(
      others,
      linesBut(after, () => false),
    ),
    JSON.stringify({ before, after }),
  )
}

const paths = { index: 'encje/indeks.md', store: 'kontrybutorzy.md', sessions: 'sesje/2026.md' }

describe('writes to such lore', () => {
  const patches = [
    { tag: 'alias', value: 'Nowe Imię' },
    { tag: 'alias', value: 'Kłos', remove: true },
    { tag: 'alias', value: 'Grabek', remove: true },
    { tag: 'status', value: 'Nieaktywny' },
    { tag: 'info', value: 'Nowa wiadomość.' },
    { tag: 'lokacja', value: 'Las' },
    { tag: 'grupa', value: 'Straż' },
  ]
  it('change the block that shows and keep every other byte: tags', () => {
    let written = 0
    fc.assert(
      fc.property(
        decorated(index),
        fc.constantFrom('Wit Kłos', 'Grab Stary'),
        fc.constantFrom(...patches),
        (text, name, patch) => {
          const apply = (texts: Readonly<Record<string, string>>): string | null => {
            const world = worldOf(texts)
            const [entity] = world.entities.all.filter(one => one.name === name)
            ok(entity !== undefined)
            const made = patchEntity(world, entity, patch)
            return isLeft(made) ? null : (applyEdits(world, made.right.edits)[paths.index] ?? '')
          }
          const right = apply({ [paths.index]: index, [paths.store]: store })
          const after = apply({ [paths.index]: text, [paths.store]: store })
          equal(after === null, right === null)
          if (after === null || right === null) return
          written += 1
          deepEqual(index1(after), index1(right))
          const { blocks } = parseBlocks(sourceFile(paths.index, text))
          const rows =
            blocks.find(one => one.heading === name)?.rows.filter(row => row.tag === patch.tag) ?? []
          const isIntro = (line: Line): boolean => line._tag === 'Item' && line.text === `@${patch.tag}:`
          keepsOthers(
            text,
            after,
            line =>
              line._tag !== 'Hidden' &&
              (isIntro(line) || rows.some(row => row.line <= line.number && line.number <= row.endLine)),
          )
        },
      ),
      { numRuns },
    )
    ok(written > numRuns / 2)
  })

  it('change the block that shows and keep every other byte: names', () => {
    const right = renamed(index)
    fc.assert(
      fc.property(decorated(index), text => {
        const after = renamed(text)
        deepEqual(index1(after), index1(right))
        keepsOthers(text, after, line => line._tag === 'Header' && line.text === 'Wit Kłos')
      }),
      { numRuns },
    )
  })

  it('change the block that shows and keep every other byte: sessions', () => {
    const bodies = [
      { metadata: { pu: [{ character: 'Iskra', value: 1 }] } },
      { metadata: { pu: [] } },
      { metadata: { locations: ['Las'], logs: ['https://a.example/1'] } },
      { content: 'Nowa proza.\n\nDruga.' },
      { content: '' },
      { upgrade: true },
    ]
    const view = { mayReadRestricted: true, sessions: true, logs: true, external: true }
    const apply = (text: string, body: (typeof bodies)[number]): string => {
      const world = worldOf({
        [paths.index]: `${index}\n### Iskra\n- @typ: Postać\n`,
        [paths.sessions]: text,
      })
      const made = patchPlan(header, body, { by: 'Brzoza', view })(world, 0)
      if (isLeft(made)) throw new Error(JSON.stringify(made.left))
      return applyEdits(world, made.right.edits)[paths.sessions] ?? ''
    }
    const sessionText = fc
      .constantFrom(sessions, legacy)
      .chain(bare => decorated(bare).map(text => [text, bare] as const))
    fc.assert(
      fc.property(sessionText, fc.constantFrom(...bodies), ([text, bare], body) => {
        const after = apply(text, body)
        deepEqual(copies(after), copies(apply(bare, body)))
        const { copies: read } = parseSessionFile(sourceFile(paths.sessions, text))
        const copy = read.find(one => one.header === header)
        ok(copy !== undefined)
        keepsOthers(
          text,
          after,
          line => line._tag !== 'Hidden' && copy.line < line.number && line.number <= copy.endLine + 1,
        )
      }),
      { numRuns },
    )
  })
})

/** The index with `Wit Kłos` renamed. */
const renamed = (text: string): string => {
  const world = worldOf({ [paths.index]: text, [paths.store]: store })
  const [entity] = world.entities.all.filter(one => one.name === 'Wit Kłos')
  ok(entity !== undefined)
  const made = renameEntity(world, entity, 'Wit Snop')
  if (isLeft(made)) throw new Error(JSON.stringify(made.left))
  return applyEdits(world, made.right.edits)[paths.index] ?? ''
}
