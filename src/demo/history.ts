import { type EpochDay, epochDay, instantText } from './calendar.js'
import type { Change, DemoCommit } from './commit.js'
import type { EntityBlock } from './entities/entity-rows.js'
import { characterFiles, type DemoIndexFile } from './entities/index-files.js'
import { type Growing, makeGrowing, splitEvenly } from './growing.js'
import type { DemoCharacter, DemoPlayer, WorldCast } from './people/cast.js'
import { demoCharacterPath } from './people/character-text.js'
import { firstFigures, type Settlement } from './points.js'
import { adoptedOn, closeLine } from './sessions/close-lines.js'
import type { ToldSession } from './sessions/session-text.js'
import type { ThreadFiles } from './sessions/thread-files.js'
import { slug } from './slug.js'

/** Everything that the commits of a world contain. */
export interface Material {
  readonly cast: WorldCast
  readonly sessions: ReadonlyArray<ToldSession>
  readonly threads: ThreadFiles
  readonly settlements: ReadonlyArray<Settlement>
  readonly index: ReadonlyArray<DemoIndexFile>
  readonly characters: ReadonlyArray<EntityBlock>
  readonly setup: ReadonlyArray<Change>
  readonly characterTexts: ReadonlyMap<DemoCharacter, string>
  readonly closing: ReadonlyArray<Change>
}

interface Event {
  readonly day: EpochDay
  readonly author: DemoCommit['author']
  readonly message: string
  readonly changes: ReadonlyArray<Change>
}

const authorOf = (player: DemoPlayer | undefined): DemoCommit['author'] => ({
  name: player?.nick ?? 'Kronika',
  email: `${slug(player?.nick ?? 'kronika')}@example.org`,
})

const robot: DemoCommit['author'] = { name: 'Kronika', email: 'kronika@example.org' }

const began = epochDay(2018, 3, 1)

/** Blocks are added to the index a few at a time, over the years before and during play. */
const indexEvents = (material: Material, count: number): ReadonlyArray<Event> => {
  const files = material.index.map(file =>
    makeGrowing(
      file.path,
      file.blocks.map((block, at) => (at === 0 ? block : `\n${block}`)),
    ),
  )
  const steps = files.flatMap(file =>
    Array.from({ length: file.pieces }, (_, at) => ({ file, upTo: at + 1 })),
  )
  const parts = splitEvenly(steps, count)
  return parts.map((part, at): Event => {
    const last = new Map<Growing, number>(part.map(step => [step.file, step.upTo]))
    return {
      day: began + 4 + Math.floor((at * 2900) / parts.length),
      author: authorOf(material.cast.players[at % 3]),
      message: `encje: bloki indeksu (${part.length})`,
      changes: [...last].map(([file, upTo]) => file.upTo(upTo)),
    }
  })
}

const sessionEvents = (material: Material, count: number): ReadonlyArray<Event> => {
  const numbered = material.sessions.map((told, at) => ({
    told,
    touched: material.threads.touched[at] ?? [],
  }))
  return splitEvenly(numbered, count).map((part): Event => {
    const last = new Map<number, number>(
      part.flatMap(one => one.touched.map(touch => [touch.file, touch.count] as const)),
    )
    const final = part[part.length - 1]?.told.plan
    return {
      day: (final?.day ?? began) + 1,
      author: authorOf(final?.narrators[0]),
      message: part.length === 1 ? `sesja: ${final?.header ?? ''}` : `sesje: nowe wpisy (${part.length})`,
      changes: [...last].flatMap(([file, upTo]) => material.threads.files[file]?.upTo(upTo) ?? []),
    }
  })
}

/** A settlement commits the batch, the PU rows, and the closures since the previous one. */
const settlementEvents = (material: Material): ReadonlyArray<Event> => {
  const batches = makeGrowing(
    '.svc/pu/batches.jsonl',
    material.settlements.map(one => `${one.line}\n`),
  )
  const closed = material.sessions.filter(told => told.effects.closed)
  const ledger = makeGrowing('.svc/close/ledger.jsonl', closed.map(closeLine))
  const closedUntil = (day: EpochDay): number => closed.filter(told => told.plan.day + 2 <= day).length
  const first = material.index.length
  return material.settlements.map((settlement, at): Event => {
    const day = settlement.day < adoptedOn ? settlement.day : Math.max(settlement.day, adoptedOn + 1)
    const adopted = settlement.day >= adoptedOn
    return {
      day,
      author: robot,
      message: `pu: rozliczenie ${settlement.month}\n\nSvc-Route: POST /workflows/award-pu`,
      changes: [
        batches.upTo(at + 1),
        ...characterFiles(material.characters, settlement.after, first).map(file => ({
          path: file.path,
          text: file.blocks.join('\n'),
        })),
        ...(adopted ? [ledger.upTo(closedUntil(settlement.day))] : []),
      ],
    }
  })
}

const characterEvents = (material: Material, count: number): ReadonlyArray<Event> =>
  splitEvenly([...material.characterTexts], count).map(
    (part, at): Event => ({
      day: epochDay(2026, 6, 5) + (at % 6),
      author: authorOf(part[0]?.[0].owner),
      message: `postaci: ${part
        .map(([character]) => character.name)
        .slice(0, 3)
        .join(', ')}`,
      changes: part.map(([character, text]) => ({ path: demoCharacterPath(character), text })),
    }),
  )

const setupEvents = (material: Material): ReadonlyArray<Event> => [
  {
    day: began,
    author: robot,
    message: 'początek: format, ustawienia i kontrybutorzy',
    changes: material.setup,
  },
  {
    day: began + 1,
    author: robot,
    message: 'postaci: bloki indeksu',
    changes: characterFiles(
      material.characters,
      firstFigures(material.cast.characters),
      material.index.length,
    ).map(file => ({ path: file.path, text: file.blocks.join('\n') })),
  },
]

/** Makes the whole history in exactly `count` commits, oldest first. */
export const demoHistoryOf = (material: Material, count: number): ReadonlyArray<DemoCommit> => {
  const few = Math.max(2, Math.floor(count / 8))
  const fixed = [...setupEvents(material), ...settlementEvents(material)]
  const index = indexEvents(material, few)
  const characters = characterEvents(material, Math.floor(few / 2))
  const rest = count - fixed.length - index.length - characters.length - 1
  const closing: Event = {
    day: epochDay(2026, 6, 13),
    author: robot,
    message: 'rejestr: sesje miejsc\n\nSvc-Route: POST /session-registry/regenerate',
    changes: material.closing,
  }
  const events = [...fixed, ...index, ...characters, ...sessionEvents(material, rest)]
  return [...events.sort((left, right) => left.day - right.day), closing].map((event, at) => ({
    author: event.author,
    at: instantText(event.day, 480 + (at % 720)),
    message: event.message,
    changes: event.changes,
  }))
}
