import { adoptTexts } from '#test/support/legacy/adoption.js'
import type { WorldTexts } from '#test/support/legacy/legacy-world.js'
import { fixtureText, textAt, textsAt } from './acceptance.js'
import type { Fields } from './matching.js'
import { type AskedOutcome, type AskedRequest, runRequests } from './run-requests.js'

/**
 * The repository that a registry fixture is adopted to, with the roster of the fixtures and a player of its
 * cases.
 */
export const adoptFixture = (registry: string): WorldTexts => {
  const texts = adoptTexts({ 'Gracze.md': fixtureText('Gracze.md'), 'entities.md': fixtureText(registry) })
  return { ...texts, 'kontrybutorzy.md': `${texts['kontrybutorzy.md'] ?? ''}\n### Kilgor\n- @gameid: 4\n` }
}

const tags: Readonly<Record<string, string>> = {
  puSum: '@pu_suma',
  puStart: '@pu_startowe',
  aliases: '@alias',
  condition: '@stan',
  specialItems: '@przedmiot_specjalny',
  restrictedTopics: '@tematy_zastrzezone',
}

const valuesAt = (fields: Fields, field: string): ReadonlyArray<string> => {
  const value = fields[field]
  return typeof value === 'number' ? [String(value)] : textsAt(fields, field)
}

const patchOf = (name: string, tag: string, value: string): AskedRequest => ({
  method: 'PATCH',
  path: `/characters/${name}`,
  body: { tag, value },
})

/** The requests by which a client sets the fields that a case sets on a Postać. */
export const settings = (fields: Fields): ReadonlyArray<AskedRequest> => {
  const name = textAt(fields, 'character') ?? ''
  return Object.entries(tags).flatMap(([field, tag]) =>
    valuesAt(fields, field).map(value => patchOf(name, tag, value)),
  )
}

/** The requests by which a client sets rows of one tag. */
export const rows = (name: string, tag: string, values: ReadonlyArray<string>): ReadonlyArray<AskedRequest> =>
  values.map(value => patchOf(name, tag, value))

/** The requests by which a client creates a Postać, with its notes. */
export const creation = (fields: Fields): ReadonlyArray<AskedRequest> => {
  const name = textAt(fields, 'character') ?? ''
  const owner = { '@należy_do': textAt(fields, 'player') ?? '', '@pu_startowe': valuesAt(fields, 'puStart') }
  return [
    { method: 'POST', path: '/characters', body: { name, tags: owner } },
    ...textsAt(fields, 'additionalNotes').map(
      (text): AskedRequest => ({ method: 'POST', path: `/characters/${name}/info`, body: { text } }),
    ),
  ]
}

/** The index after requests, the character file of a Postać, and the Postać as it is then served. */
export const writeAndReadCharacter = async (
  texts: WorldTexts,
  name: string,
  asked: ReadonlyArray<AskedRequest>,
): Promise<Fields> => {
  const after: AskedOutcome = await runRequests(texts, [
    ...asked,
    { method: 'GET', path: `/characters/${name}` },
  ])
  if ('throws' in after) return after
  const character = after.answers.at(-1)
  const charFile = textAt(character ?? {}, 'CharacterFile')
  return {
    file: after.texts['encje/indeks.md'],
    index: after.texts['encje/indeks.md'],
    character,
    charFile,
    content: charFile === null ? null : after.texts[charFile],
    result: { characterName: name, puStart: character?.['PuStartowe'] },
  }
}
