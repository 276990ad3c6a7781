import type { Descriptions } from '../description.js'

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
