import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { Flag } from '../query.js'
import type { RefusalOf, RefusalTag } from '../refusal.js'
import { actsOnHost, route, type Table } from '../route.js'
import { Mode, WantedMode } from './discovery.js'
import { JobEnvelope } from './jobs.js'

/** Time for a request that waits for the whole queue of the gate, and then for a walk over the lore. */
export const gateAnswerWithinMs = 290_000

/** The refusals of an adoption, over HTTP and from the command line. */
export const adoptionRefusals = [
  'NoRepository',
  'WorkTreeDirty',
  'HeadDetached',
  'RepositoryLocked',
  'CheckoutBlocked',
  'AdoptionFailed',
  'SchemaTooNew',
  'DiskRefused',
  'Overloaded',
] as const satisfies ReadonlyArray<RefusalTag>

/** Why an adoption was not made: a refusal above, or the caller lost the right while the request waited. */
export type AdoptRefusal = RefusalOf<(typeof adoptionRefusals)[number] | 'Unauthorized' | 'Forbidden'>

const count = t.number

/**
 * Legacy and adopted numbers of one character, shown by a dry run (FORMATS 9). PU are decimals; null when
 * unknown.
 */
const PuFigures = t.type({
  suma: t.union([t.number, t.null]),
  startowe: t.union([t.number, t.null]),
  zdobyte: t.union([t.number, t.null]),
  nadmiar: t.union([t.number, t.null]),
})
export const ParityRow = t.type(
  {
    character: t.string,
    player: t.union([t.string, t.null]),
    legacy: PuFigures,
    adopted: PuFigures,
    equal: t.boolean,
  },
  'ParityRow',
)
export type ParityRow = t.TypeOf<typeof ParityRow>

/** A finding of adoption: where, what, and what a person should do. */
export const AdoptionFinding = t.type(
  {
    kind: t.string,
    severity: t.keyof({ error: null, warning: null, info: null }),
    file: t.string,
    /** Counted from 1; null when the finding concerns the whole file. */
    line: t.union([t.number, t.null]),
    subject: t.union([t.string, t.null]),
    reason: t.string,
    suggestion: t.union([t.string, t.null]),
  },
  'AdoptionFinding',
)
export type AdoptionFinding = t.TypeOf<typeof AdoptionFinding>

/**
 * The answer of `POST /import` (A 4.5). `Entities` and `SessionRegistry` count the adopted tree, so that a
 * repetition answers the same; `preserved` counts the existing blocks that were kept. `Files` are the paths
 * of the commit, `Sources` the legacy files read. `Applied` is false when no file was written: for a dry run,
 * and for an adopted repository; that of `SessionRegistry` counts its own files. A dry run adds `Parity` and,
 * if there are any, `Dirty`: the files with uncommitted changes, for which the real run is refused at
 * present.
 */
export const Adoption = t.intersection(
  [
    t.type({
      Applied: t.boolean,
      Entities: t.type({
        players: count,
        characters: count,
        npc: count,
        locations: count,
        maps: count,
        preserved: count,
      }),
      SessionsObserved: count,
      SessionRegistry: t.type({
        Applied: t.boolean,
        Roots: count,
        Files: t.type({ Written: count, Unchanged: count }),
        Sessions: t.type({ Total: count, Placed: count }),
      }),
      Findings: t.readonlyArray(AdoptionFinding),
    }),
    t.partial({
      Parity: t.readonlyArray(ParityRow),
      Files: t.readonlyArray(t.string),
      Sources: t.readonlyArray(t.string),
      Dirty: t.readonlyArray(t.string),
    }),
  ],
  'Adoption',
)
export type Adoption = t.TypeOf<typeof Adoption>

export const adminRoutes = {
  'import.run': route({
    ...actsOnHost,
    method: 'POST',
    path: '/import',
    summary:
      'Adopts a legacy repository into format 2 in one commit, all or nothing; `async=true` makes it a job.',
    capability: 'admin.migrate',
    // No write flag: adoption must pass while the gate refuses writes with SchemaTooOld.
    query: { async: Flag },
    answerWithinMs: gateAnswerWithinMs,
    body: t.type({}, 'Nothing'),
    answers: { 200: Adoption, 202: JobEnvelope },
    refusals: adoptionRefusals,
    source: 'A 4.5, FORMATS 9, D33',
    example: { query: { async: 'false' }, body: {} },
  }),
  'admin.mode.set': route({
    ...actsOnHost,
    method: 'POST',
    path: '/admin/mode',
    anyCommit: true,
    summary: 'Closes or opens the write gate, after every write that was sent before.',
    capability: 'admin.mode',
    query: {},
    answerWithinMs: gateAnswerWithinMs,
    body: t.type({ mode: WantedMode }, 'ModeWanted'),
    answers: { 200: t.type({ mode: Mode }, 'ModeSet') },
    refusals: ['NoRepository', 'DiskRefused', 'Overloaded'],
    source: 'A 4.5, D28, S18',
    example: { body: { mode: 'read-only' } },
  }),
  'admin.shutdown': route({
    ...actsOnHost,
    method: 'POST',
    path: '/admin/shutdown',
    anyCommit: true,
    summary: 'Answers, then ends the process as SIGTERM does. A dry run answers false and ends nothing.',
    capability: 'admin.shutdown',
    query: {},
    body: null,
    answers: { 200: t.type({ stopped: t.boolean }, 'Stopped') },
    refusals: [],
    source: 'A 4.5',
    example: {},
  }),
} as const satisfies Table

/** Descriptions of the numbers of blocks in the object `place`. */
export const describeAdoptedEntities = (place: string): Descriptions => ({
  [`${place}.Entities`]: {
    players: 'People (Gracz).',
    characters: 'Characters of players (Postać).',
    npc: 'Characters of narrators (NPC).',
    locations: 'Places (Lokacja).',
    maps: 'Maps (Mapa).',
    preserved: 'Blocks that were there before and were kept.',
  },
})

/** Descriptions of the numbers of the session registry in the object `place`. */
export const describeAdoptedRegistry = (place: string): Descriptions => ({
  [`${place}.SessionRegistry`]: {
    Applied: 'True when registry files were written.',
    Roots: 'Number of outermost places.',
    Files: 'Number of registry files.',
    Sessions: 'Number of sessions.',
  },
  [`${place}.SessionRegistry.Files`]: {
    Written: 'Files that change.',
    Unchanged: 'Files that already have this content.',
  },
  [`${place}.SessionRegistry.Sessions`]: {
    Total: 'All sessions.',
    Placed: 'Sessions in the registry of a place.',
  },
})

const figures = {
  suma: 'PU altogether; null when unknown.',
  startowe: 'PU at the creation of the character; null when unknown.',
  zdobyte: 'PU earned in sessions; null when unknown.',
  nadmiar: 'PU above the monthly maximum; null when unknown.',
} as const

export const adminDescriptions: Descriptions = {
  Adoption: {
    Applied:
      'True when files were written; false for a dry run and for a repository that is adopted already.',
    Entities: 'Number of blocks of the adopted tree by type.',
    SessionsObserved: 'Number of sessions of the adopted tree.',
    SessionRegistry: 'Numbers of the registry of sessions by place.',
    Findings: 'What a person should look at.',
    Parity: 'PU of each character before and after; dry run only.',
    Files: 'Paths of the files of the commit.',
    Sources: 'Paths of the legacy files that were read.',
    Dirty: 'Files with uncommitted changes, for which the real run is refused now; dry run only.',
  },
  ...describeAdoptedEntities('Adoption'),
  ...describeAdoptedRegistry('Adoption'),
  AdoptionFinding: {
    kind: 'Kind of the finding, from a closed set.',
    severity: 'How grave it is.',
    file: 'Path of the file.',
    line: 'Line in the file, counted from 1; null when the finding is of the whole file.',
    subject: 'Name that the finding is about; null without one.',
    reason: 'What is wrong, in Polish.',
    suggestion: 'What a person should do, in Polish; null when nothing is needed.',
  },
  ParityRow: {
    character: 'Heading of the character.',
    player: 'Heading of the person who plays it; null when unknown.',
    legacy: 'PU by the legacy files.',
    adopted: 'PU by the adopted tree.',
    equal: 'True when all four numbers are equal.',
  },
  'ParityRow.legacy': figures,
  'ParityRow.adopted': figures,
  ModeWanted: { mode: 'Mode to set.' },
  ModeSet: { mode: 'Mode after the request; a dry run sets none.' },
  Stopped: { stopped: 'True when the process ends after this answer; false for a dry run.' },
}
