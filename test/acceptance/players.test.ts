import {
  type LegacyCharacter,
  type LegacyPlayer,
  overlayPeople,
} from '#src/domain/adoption/legacy/overlay.js'
import { legacyScalarOn, readRegistry } from '#src/domain/adoption/legacy/registry.js'
import { readRoster } from '#src/domain/adoption/legacy/roster.js'
import { type Decimal, decimalOf, deriveFigures, toNumber } from '#src/domain/lore/figures.js'
import { acceptance, fieldsAt, fixtureText, textAt, textsAt } from '#test/support/acceptance.js'
import { adoptFixture, creation, settings, writeAndReadCharacter } from '#test/support/character-cases.js'
import type { Fields } from '#test/support/matching.js'
import { runRequests } from '#test/support/run-requests.js'
import { day, sourceFile } from '#test/support/world.js'

const today = day('2026-06-15')

const numberOf = (value: Decimal | null): number | null => (value === null ? null : toNumber(value))

const characterFields = (character: LegacyCharacter): Fields => ({
  name: character.name,
  playerName: character.player,
  player: { name: character.player },
  isActive: character.active,
  path: character.path,
  aliases: character.aliases,
  puExceeded: numberOf(character.figures.nadmiar),
  puStart: numberOf(character.figures.startowe),
  puSum: numberOf(character.figures.suma),
  puTaken: numberOf(character.figures.zdobyte),
  additionalInfo: character.notes,
  status: legacyScalarOn(character.entity?.rows ?? [], 'status', today)?.value ?? 'Aktywny',
  characterSheet: null,
  reputation: null,
})

const playerFields = (player: LegacyPlayer): Fields => ({
  name: player.name,
  triggers: player.topics,
  prfWebhook: player.webhook,
  characters: player.characters.map(characterFields),
})

const peopleOf = (input: Fields) => {
  const roster = readRoster(sourceFile('Gracze.md', fixtureText(textAt(input, 'players') ?? '')))
  const registry = readRegistry(textsAt(input, 'entities').map(name => sourceFile(name, fixtureText(name))))
  return overlayPeople(roster, registry, { game: null }, today)
}

const charactersOf = (input: Fields): Fields => {
  const options = fieldsAt(input, 'options') ?? {}
  const [player, names] = [textAt(options, 'playerName'), textsAt(options, 'characterName')]
  const characters = peopleOf(input)
    .characters.filter(one => player === null || one.player === player)
    .filter(one => names.length === 0 || names.includes(one.name))
    .map(characterFields)
  return { characters, ...Object.fromEntries(characters.map(one => [textAt(one, 'name') ?? '', one])) }
}

const completePu = (pu: Fields): Fields => {
  const of = (key: string): Decimal | null => {
    const value = pu[key]
    return typeof value === 'number' ? decimalOf(value) : null
  }
  const figures = deriveFigures({
    suma: of('puSum'),
    startowe: of('puStart'),
    zdobyte: of('puTaken'),
    nadmiar: null,
  })
  return { puSum: numberOf(figures.suma), puTaken: numberOf(figures.zdobyte) }
}

/** Operations of the predecessor as the requests of a client of today. */
const writeCharacter = (fixture: string, write: Fields): unknown => {
  const texts = adoptFixture(fixture)
  const [set, made_, changed] = [
    fieldsAt(write, 'setCharacter'),
    fieldsAt(write, 'newPlayer'),
    fieldsAt(write, 'setPlayer'),
  ]
  if (made_ !== null) return runRequests(texts, [{ method: 'POST', path: '/people', body: made_ }])
  if (changed !== null) {
    const path = `/people/${textAt(changed, 'name') ?? ''}`
    return runRequests(texts, [{ method: 'PATCH', path, body: changed }])
  }
  const character = set ?? {}
  const name = textAt(character, 'character') ?? ''
  const isThere = texts['encje/indeks.md']?.includes(`### ${name}\n`) === true
  return writeAndReadCharacter(texts, name, isThere ? settings(character) : creation(character))
}

const run = (input: Fields): unknown => {
  const [pu, write] = [fieldsAt(input, 'completePU'), fieldsAt(input, 'write')]
  if (pu !== null) return completePu(pu)
  if (write !== null) return writeCharacter(textAt(input, 'fixture') ?? '', write)
  if (input['playerCharacters'] === true) return charactersOf(input)
  const people = peopleOf(input)
  const player = people.players.find(one => one.name === textAt(input, 'player'))
  if (player === undefined) return { players: people.players.map(playerFields) }
  const character = player.characters.find(one => one.name === textAt(input, 'character'))
  return character === undefined ? playerFields(player) : characterFields(character)
}

const roster = ['058', '059', '061', '062', '063', '065', '067', '068', '069']

acceptance('players-legacy', {
  run,
  deviations: {
    'players-legacy-053': {
      adr: 1032,
      why: 'The sum of PU is written by the batch alone (FORMATS 1.4).',
      instead: { $throws: 'ValueRefused: *@pu_suma*' },
    },
    ...Object.fromEntries(
      roster.map(number => [
        `players-legacy-${number}`,
        {
          adr: 1032,
          why: 'People stand in the contributor store, which no route of theirs writes (A 4.6.1, D38).',
          instead: { $throws: 'RosterStoreProperty: *kontrybutorzy.md*' },
        },
      ]),
    ),
  },
})
