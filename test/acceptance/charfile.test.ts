import { nameKey } from '#protocol/atoms.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import { valuesOn } from '#src/domain/lore/rows/deciding-order.js'
import { parseCharacterFile } from '#src/domain/people/character-file.js'
import { mergeTier, mergeValues } from '#src/domain/people/characters.js'
import type { CharacterFile } from '#src/domain/people/section-body.js'
import {
  acceptance,
  type Deviation,
  fieldsAt,
  fixtureText,
  textAt,
  textsAt,
} from '#test/support/acceptance.js'
import { creation, rows, settings, writeAndReadCharacter } from '#test/support/character-cases.js'
import type { WorldTexts } from '#test/support/legacy/legacy-world.js'
import { type Fields, isFields } from '#test/support/matching.js'
import type { AskedRequest } from '#test/support/run-requests.js'
import { day, sourceFile } from '#test/support/world.js'

const asCases = (file: CharacterFile): Fields => ({
  characterSheet: file.sheet,
  restrictedTopics: file.restrictedTopics,
  condition: file.condition,
  specialItems: file.specialItems,
  reputation: file.reputation,
  additionalNotes: file.additionalInfo,
  describedSessions: file.describedSessions,
  'describedSessions.narrator(distinct)': [
    ...new Set(file.describedSessions.map(one => nameKey(one.narrator ?? ''))),
  ],
})

/** Overrides as rows of a block, all of one tag. */
const overrideValues = (merge: Fields): ReadonlyArray<string> => {
  const source = { _tag: 'Session', header: 'h' } as const
  const rows = textsAt(merge, 'overrides').map((text, at) => {
    const { text: value, range } = splitRange(text)
    return { tag: 'x', value, range, auto: false, line: at + 1, endLine: at + 1, source }
  })
  return valuesOn(rows, 'x', day('2025-07-01'))
}

const mergeCase = (merge: Fields): Fields => {
  const tier = merge['charFileTier']
  if (!Array.isArray(tier)) return { values: mergeValues(textsAt(merge, 'charFile'), overrideValues(merge)) }
  const base = tier.filter(isFields).map(one => ({
    location: textAt(one, 'location') ?? '',
    detail: textAt(one, 'detail'),
  }))
  const entries = mergeTier(base, overrideValues(merge))
  return { tier: entries, 'tier.location': entries.map(one => one.location) }
}

const xeron = 'Xeron Demonlord'

const index = `### ${xeron}\n- @typ: Postać\n- @należy_do: Solmyr\n`

const world = (file: string | null): WorldTexts => ({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  'encje/indeks.md': index,
  ...(file === null ? {} : { [`Postaci/Gracze/${xeron}.md`]: file }),
})

const sectionOf = (text: string, name: string): string =>
  new RegExp(`\\*\\*${name}:\\*\\*\\n([^]*?)\\n\\n\\*\\*`, 'u').exec(text)?.[1] ?? ''

/** What a client does today where the predecessor wrote a section whole. */
const sectionWrites = (section: string, content: ReadonlyArray<string>): ReadonlyArray<AskedRequest> => {
  const items = content.map(line => line.replace(/^- /u, ''))
  if (section === 'Stan') return rows(xeron, 'stan', items)
  if (section === 'Przedmioty specjalne') return rows(xeron, '@przedmiot_specjalny', items)
  return items.map(text => ({ method: 'POST', path: `/characters/${xeron}/info`, body: { text } }))
}

const tiers = { positive: 'pozytywna', neutral: 'neutralna', negative: 'negatywna' }

const reputation = async (tier: Fields): Promise<Fields> => {
  const asked = Object.entries(tiers).flatMap(([field, name]) => {
    const entries: unknown = tier[field]
    const texts = (Array.isArray(entries) ? entries : []).filter(isFields).map(entry => {
      const [location, detail] = [textAt(entry, 'location') ?? '', textAt(entry, 'detail')]
      return detail === null ? location : `${location}: ${detail}`
    })
    return rows(xeron, `@reputacja_${name}`, texts)
  })
  const note = { method: 'POST', path: `/characters/${xeron}/info`, body: { text: 'Nowa.' } } as const
  const after = await writeAndReadCharacter(world(null), xeron, [...asked, note])
  return { ...after, lines: sectionOf(textAt(after, 'content') ?? '', 'Reputacja').split('\n') }
}

const sectionCase = async (fixture: string, write: Fields): Promise<Fields> => {
  const asked = sectionWrites(textAt(write, 'section') ?? '', textsAt(write, 'content'))
  const after = await writeAndReadCharacter(world(fixtureText(fixture)), xeron, asked)
  return { ...after, file: after['content'] }
}

const run = (input: Fields): unknown => {
  const [merge, tier] = [fieldsAt(input, 'merge'), fieldsAt(input, 'renderReputation')]
  if (merge !== null) return mergeCase(merge)
  if (tier !== null) return reputation(tier)
  const fixture = textAt(input, 'fixture')
  if (fixture === null) return null
  const [write, created] = [fieldsAt(input, 'writeSection'), fieldsAt(input, 'newCharacter')]
  const set = fieldsAt(input, 'setCharacter')
  if (write !== null) return sectionCase(fixture, write)
  if (set !== null) return writeAndReadCharacter(world(fixtureText(fixture)), xeron, settings(set))
  if (created === null)
    return asCases(parseCharacterFile(sourceFile(`Postaci/Gracze/${fixture}`, fixtureText(fixture))))
  const owner = `### ${textAt(created, 'player') ?? ''}\n- @gameid: 2\n`
  const texts = { ...world(null), 'kontrybutorzy.md': `## Gracz\n${owner}` }
  return writeAndReadCharacter(texts, textAt(created, 'character') ?? '', creation(created))
}

const why = 'Kept as rows of the block, dated where the tag is; the file beside it stands (FORMATS 3).'

const asRow = (character: Fields, row: string): Deviation => ({
  adr: 1032,
  why,
  instead: { character, index: { $like: [`*- @${row}\n*`] } },
})

acceptance('charfile', {
  run,
  deviations: {
    'charfile-022': asRow(
      { Reputation: { Positive: [{ Location: 'Erathia' }, { Location: 'Steadwick', Detail: null }] } },
      'reputacja_pozytywna: Steadwick (2026-06:)',
    ),
    'charfile-023': asRow(
      { Reputation: { Positive: [{ Location: 'Erathia', Detail: 'pomógł w obronie' }, { Detail: null }] } },
      'reputacja_pozytywna: Erathia: pomógł w obronie (2026-06:)',
    ),
    'charfile-040': asRow({ Condition: 'Ranny, złamana ręka.' }, 'stan: Ranny, złamana ręka. (2026-06:)'),
    'charfile-041': asRow(
      { SpecialItems: ['Magiczny miecz', 'Tarcza ognia'] },
      'przedmiot_specjalny: Tarcza ognia',
    ),
    'charfile-058': asRow({ Condition: 'Ranny.' }, 'stan: Ranny. (2026-06:)'),
    'charfile-059': asRow({ SpecialItems: ['Miecz Ognia'] }, 'przedmiot_specjalny: Miecz Ognia'),
    'charfile-062': asRow({ RestrictedTopics: 'No romance' }, 'tematy_zastrzezone: No romance'),
  },
})
