import { atOnce } from '#src/domain/slicing/sliced.js'
import { archivePaths, transcriptName } from '#src/domain/transcripts/archive.js'
import { parseTranscript } from '#src/domain/transcripts/parse.js'
import { encodeTranscript } from '#src/domain/transcripts/sidecar.js'
import type { Chance } from './chance.js'
import type { Change } from './commit.js'
import type { DemoPlace } from './people/cast.js'
import type { ToldSession } from './sessions/sessions.js'
import { type Cast, renderTemplate, type Template, template } from './template.js'

/** What one line of a transcript means to its generator: who speaks, and in which place. */
export interface MeantLine {
  /** The heading of the speaker, or the nick of a narrator who tells; null for a line without a speaker. */
  readonly speaker: string | null
  readonly isNarrator: boolean
  /** The heading of the place of the segment; null before the first. */
  readonly place: string | null
  readonly channel: string | null
}

/** A transcript of the demo: its address, its text, and what each line means. */
export interface DemoTranscript {
  /** The name of its files in the archive. */
  readonly name: string
  readonly address: string
  readonly text: string
  readonly lines: ReadonlyArray<MeantLine>
  readonly session: ToldSession
}

/** How many sessions have their first transcript in the archive: the last ones that cite any. */
export const archivedMax = 40

/**
 * The transcripts of the last sessions that cite one whose name no other address has. A second address of a session has
 * no transcript, like a note that was never saved.
 */
export const demoTranscripts = (
  sessions: ReadonlyArray<ToldSession>,
  chance: Chance,
): ReadonlyArray<DemoTranscript> => {
  const addresses = new Map<string, Set<string>>()
  for (const { effects } of sessions)
    for (const address of effects.logs) {
      const name = transcriptName(address).toLowerCase()
      addresses.set(name, (addresses.get(name) ?? new Set<string>()).add(address))
    }
  return sessions
    .flatMap(told => {
      const [address] = told.effects.logs
      if (address === undefined) return []
      const name = transcriptName(address)
      return addresses.get(name.toLowerCase())?.size === 1 ? [{ told, name, address }] : []
    })
    .filter(({ address }, at, all) => all.findIndex(one => one.address === address) === at)
    .slice(-archivedMax)
    .map(({ told, name, address }) => ({
      name,
      address,
      ...transcriptOf(told, chance.fork(told.plan.header)),
    }))
}

/** The files of the archive: each text with its sidecar. */
export const archiveFiles = (transcripts: ReadonlyArray<DemoTranscript>): ReadonlyArray<Change> =>
  transcripts.flatMap(({ name, address, text }) => {
    const paths = archivePaths(name)
    const read = atOnce(parseTranscript(Buffer.from(text), { name, address }))
    return [
      { path: paths.text, text },
      { path: paths.sidecar, text: encodeTranscript(read) },
    ]
  })

const table = (texts: ReadonlyArray<string>): ReadonlyArray<Template> => texts.map(text => template(text))

/** What a hero says: the slots of a scene, with A, B and C for the heroes. */
const said = table([
  '{w L} <robi się tłoczno|jest dziś podejrzanie cicho>. Kto widział {N.acc}?',
  'Mówię wam, {I} leży {w K}, nie tutaj.',
  '{N} wie o tym więcej, niż mówi.',
  'Zapytajmy ludzi {z G}, oni pilnują {L.gen}.',
  'Nie idę {do K} bez {B.gen}.',
  '{M.dat} nie ufam <ani trochę|za grosz>.',
  'Kto ma klucz, ten ma {I.acc}. Proste.',
  'Chodzą słuchy o {N.loc}: podobno {N:widział} to na własne oczy.',
  'Najpierw {do K}, potem zobaczymy.',
  'O {I.loc} mówi się {w K} od <lat|dawna|tygodnia>.',
  'Jeśli {M} zdradzi {G.acc}, kto za {M~niego/nią} zapłaci?',
  'Zostawcie {N.acc}, {N~on/ona} tu tylko pracuje.',
  'Ktoś {z H} idzie za nami {z K}.',
  'Czas się zbierać. {C}, bierz pochodnię.',
  'Godzina 19:30 i ani śladu {M.gen}.',
  'Powiedz to {B.dat}: tak, dokładnie tak samo.',
])

/** What another person says, with S for the speaker and G for the group of the speaker. */
const answered = table([
  'Jestem {z G}, mam prawo tu być.',
  'Należę do {G.gen}, nie do was.',
  'Nic nie wiem o {I.loc}. Pytajcie {w K}.',
  'Wasz {A} już u mnie <był|pytał>, odpowiedź jest ta sama.',
  'Spokojnie, {L} to nie miejsce na kłótnie.',
  'Za dziesięć koron przypomnę sobie, gdzie jest {I}.',
  'Wszyscy {w K} wiedzą, kto tu rządzi.',
])

/** What a narrator tells between the speeches. */
const told = table([
  'Drzwi skrzypią i do środka wpada zimne powietrze.',
  'Na stole leży mapa, a obok niej dogasa świeca.',
  'Z oddali słychać dzwon: trzy uderzenia, potem cisza.',
  'Deszcz nie ustaje; bruk lśni w świetle latarni.',
])

/** What players write outside the game. */
const aside = [
  'Zaraz wracam, herbata.',
  'Kto ma jutro czas po 20:00?',
  'Komu zerwało połączenie?',
  'Świetna scena!',
]

const acts = [
  'kiwa głową',
  'rozgląda się po izbie',
  'odkłada kufel',
  'sięga po sakiewkę',
  'marszczy brwi',
  'ścisza głos',
]

interface Clock {
  minutes: number
}

const clockText = (clock: Clock, chance: Chance): string => {
  clock.minutes += chance.whole(0, 2)
  const minutes = clock.minutes % 1440
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

const transcriptOf = (session: ToldSession, chance: Chance): Omit<DemoTranscript, 'name' | 'address'> => {
  const { plan } = session
  const clock: Clock = { minutes: chance.whole(18, 22) * 60 + chance.whole(0, 50) }
  const texts: Array<string> = []
  const lines: Array<MeantLine> = []
  const put = (text: string, line: MeantLine): void => {
    texts.push(text)
    lines.push(line)
  }
  for (const place of plan.places) {
    put(`=== ${place.name} ===`, { speaker: null, isNarrator: false, place: place.name, channel: null })
    for (let left = chance.whole(9, 16); left > 0; left -= 1) sayOne(session, place, { clock, chance, put })
  }
  return {
    text: texts.map(text => `${text}\n`).join(''),
    lines,
    session,
  }
}

interface Writing {
  readonly clock: Clock
  readonly chance: Chance
  readonly put: (text: string, line: MeantLine) => void
}

/** One line: mostly a hero, else another person, the narrator, or a player on the side. */
const sayOne = ({ plan }: ToldSession, place: DemoPlace, { clock, chance, put }: Writing): void => {
  const at = clockText(clock, chance)
  const local = (speaker: string, isNarrator: boolean, text: string, written = speaker): void =>
    put(`[${at}] [Lokalny] ${written}: ${text}`, {
      speaker,
      isNarrator,
      place: place.name,
      channel: 'Lokalny',
    })
  const hero = chance.pick(plan.heroes)
  // Some write their character's given name only.
  const nick = chance.truth(0.15) ? hero.given : hero.name
  const fill = (from: ReadonlyArray<Template>, cast: Cast): string =>
    renderTemplate(chance.pick(from), cast, { told: new Set() }, chance)
  const roll = chance.share()
  if (roll < 0.52) local(hero.name, false, fill(said, plan.cast), nick)
  else if (roll < 0.62) local(hero.name, false, `*${chance.pick(acts)}*`)
  else if (roll < 0.68) local(hero.name, false, `rzuca kośćmi: 1k20 = ${chance.whole(1, 20)}`)
  else if (roll < 0.84) {
    const other = chance.pick(plan.others)
    local(other.name, false, fill(answered, plan.cast))
  } else if (roll < 0.94) {
    const narrator = plan.narrators[0]
    if (narrator !== undefined) local(narrator.nick, true, fill(told, plan.cast))
  } else
    put(`[${at}] [Drużyna] ${hero.name}: ${chance.pick(aside)}`, {
      speaker: hero.name,
      isNarrator: false,
      place: place.name,
      channel: 'Drużyna',
    })
}
