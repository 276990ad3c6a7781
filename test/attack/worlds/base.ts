import { chanceOf } from '#src/demo/chance.js'
import { demoWorld } from '#src/demo/world.js'
import type { Canary } from '../verdicts/answer.js'
import type { Lore } from '../verdicts/lore.js'

/** The people who attack, by their role in the contributor store; null: a player and no more. */
export const attackers = {
  gracz: { person: 'Napastnik', gameId: '91001', role: null },
  narrator: { person: 'Bajarka', gameId: '91002', role: 'Narrator' },
  radny: { person: 'Radczyni', gameId: '91003', role: 'Radny' },
  it: { person: 'Technik', gameId: '91004', role: 'IT' },
  bot: { person: 'Automat', gameId: '91005', role: 'Bot' },
  mc: { person: 'Strażnik', gameId: '91006', role: 'MC' },
  smc: { person: 'Nadstrażnik', gameId: '91007', role: 'SMC' },
  'gracz machine': { person: 'machine', gameId: '91008', role: null },
} as const
export type AttackerRole = keyof typeof attackers

/** Headings of the world that attacks aim at. */
export const aim = {
  victim: 'Ofiara',
  victimGameId: '91100',
  /** The victim's Postać, by all her names. */
  character: 'Ofelia z Zatoki',
  characterAlias: 'Ofelka',
  inflected: 'Ofelii z Zatoki',
  npc: 'Skarbnik Zatoki',
  group: 'Bractwo Zatoki',
  place: 'Zatoka Attaku',
  purse: 'Talary Ofelii',
  closed: '2026-03-01, Zamknięta zatoka, Bajarka',
  open: '2026-03-08, Otwarta zatoka, Bajarka',
  /** An entity that only an effect of a closed session names. */
  unwritten: 'Zapomniany z Zatoki',
  sharedAlias: 'Wspólne Miano',
} as const

/** The attacker's own Postać. */
export const ownCharacter = (person: string): string => `Wilk ${person}`

export interface AttackWorld {
  readonly files: Lore
  readonly canaries: ReadonlyArray<Canary>
}

const person = ([name, gameId, role]: readonly [string, string, string | null]): string =>
  `### ${name}\n- @gameid: ${gameId} (2024-01:)\n${role === null ? '' : `- @rola: ${role} (2024-01:)\n`}- @chat: sesje/${gameId}\n`

const block = (heading: string, type: string, ...rows: ReadonlyArray<string>): string =>
  `### ${heading}\n- @typ: ${type}\n${rows.map(row => `- @${row}\n`).join('')}`

const closeLine = (header: string): string =>
  `${JSON.stringify({
    header,
    op: 'close',
    at: '2026-03-05T20:00:00Z',
    by: 'Bajarka',
    source: 'close',
    transfers: [],
    intel: [],
  })}\n`

const sessionsText = (topic: (what: string) => string): string => `### ${aim.closed}

Ofelia wypłynęła.

- @Zmiany:
    - ${aim.character}
        - @stan: Ranna
        - @tematy_zastrzezone: ${topic('a restricted topic in the Zmiany of a closed session')}
    - ${aim.npc}
        - @grupa: ${aim.group}
    - ${aim.unwritten}
        - @lokacja: ${aim.place}
- @Transfer: 7 Talary, ${aim.character} -> ${aim.npc}

### ${aim.open}

Ofelia wróciła.

- @Zmiany:
    - ${aim.character}
        - @tematy_zastrzezone: ${topic('a restricted topic in the Zmiany of an open session')}
- @Transfer: 5 Talary, ${aim.npc} -> ${aim.character}
`

/** The last text of each file of a world for newcomers; its works tree stays away. */
const demoFiles = (seed: string, scale: number | undefined): ReadonlyMap<string, string> =>
  new Map(
    demoWorld({ seed, ...(scale === undefined ? {} : { scale }) }).commits.flatMap(({ changes }) =>
      changes.map(({ path, text }) => [path, text] as const),
    ),
  )

const config = `${JSON.stringify({ server: { selfheal_interval_ms: 0, gc_interval_min: 0 } })}\n`

/**
 * The invented world of a newcomer, with one person for each bundle, a victim, and texts that nobody of them may read.
 * A function of the seed, and of the scale of the invented world; absent: that of a newcomer.
 */
export const baseWorld = (seed: string, demoScale?: number): AttackWorld => {
  const chance = chanceOf(`${seed}/canaries`)
  const canaries: Array<Canary> = []
  const canary = (what: string): string => {
    const text = `kanarek${chance.whole(1e9, 9e9)}`
    canaries.push({ what, text, restricted: /topic|trigger/u.test(what) })
    return text
  }
  const keyHash = Array.from({ length: 64 }, () => chance.whole(0, 15).toString(16)).join('')
  canaries.push({ what: 'the hash of an api key', text: keyHash, restricted: false })
  const people = Object.values(attackers)
  const demo = demoFiles(seed, demoScale)
  const store = demo.get('kontrybutorzy.md') ?? ''
  const planted = [
    ...people.map(one => person([one.person, one.gameId, one.role])),
    `${person([aim.victim, aim.victimGameId, null])}- @tematy: ${canary('the topics of a person')}\n- @klucz_api: sha256:${keyHash}\n`,
  ].join('\n')
  const webhook = `https://chat.example/api/webhooks/91/${canary('a webhook in @chat')}`
  const index = [
    ...people.map(one =>
      block(ownCharacter(one.person), 'Postać', `należy_do: ${one.person}`, 'pu_startowe: 20', 'pu_suma: 21'),
    ),
    block(
      aim.character,
      'Postać',
      `należy_do: ${aim.victim}`,
      `alias: ${aim.characterAlias}`,
      `chat: ${webhook}`,
      `tematy_zastrzezone: ${canary('a restricted topic of a block')}`,
      'pu_startowe: 20',
      'pu_suma: 22',
    ),
    block(aim.npc, 'NPC', `lokacja: ${aim.place}`, 'grupa: Straż'),
    block(aim.group, 'Grupa', `lokacja: ${aim.place}`, `alias: ${aim.sharedAlias}`),
    block(aim.place, 'Lokacja', 'outerior: tak'),
    block(
      aim.purse,
      'Przedmiot',
      'generyczne_nazwy: Talary Hirońskie',
      `należy_do: ${aim.character}`,
      'ilość: 500',
    ),
    block(
      'Talary Skarbnika',
      'Przedmiot',
      'generyczne_nazwy: Talary Hirońskie',
      `należy_do: ${aim.npc}`,
      'ilość: 90',
    ),
  ].join('\n')
  const sheet = [
    `**Tematy zastrzeżone:**\n${canary('a restricted topic of a character file')}\n`,
    `\n${canary('a restricted topic after a blank line')}\n`,
    `\n### Dalsze\n${canary('a restricted topic after a header')}\n`,
    '\n**Dodatkowe informacje:**\n- Ma bliznę.\n',
  ].join('')
  const legacy = [
    `## ${aim.victim}\n- Tematy zastrzeżone: ${canary('a restricted topic of a legacy file')}\n`,
    `- @prfwebhook: https://chat.example/api/webhooks/92/${canary('a webhook of a legacy file')}\n`,
    `- @trigger: ${canary('a trigger of a legacy file')}\n`,
  ].join('')
  const files = new Map([
    ...demo,
    ['.svc/config.json', config],
    ['.svc/close/ledger.jsonl', `${demo.get('.svc/close/ledger.jsonl') ?? ''}${closeLine(aim.closed)}`],
    ['kontrybutorzy.md', store.replace('\n## Role\n', `\n${planted}\n## Role\n`)],
    ['encje/indeks-90.md', index],
    ['sesje/zatoka.md', sessionsText(canary)],
    [`Postaci/Gracze/${aim.character}.md`, sheet],
    ['.robot.new/entities.md', `# Stare\n${legacy}`],
    ['stare/gracze-001-ent.md', legacy],
    ['Gracze.md', legacy],
  ])
  return { files, canaries }
}
