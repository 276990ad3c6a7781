import type { Descriptions } from '../description.js'

const optionalText = {
  dateEnd: 'Last day of a session of several days, `YYYY-MM-DD`; null or absent for one day.',
  content: 'Prose of the session, as Markdown; null or absent for none.',
  metadata: 'Blocks of the session.',
} as const

const wanted = {
  date: 'Day of the session in the fiction, `YYYY-MM-DD`.',
  title: 'Title of the session, one line.',
  narrators: 'Names of the narrators, from 1 to 20.',
  ...optionalText,
} as const

const targetFile = 'Path of the session file to write to; not needed where sessions are staged.'

const placedText = {
  file: 'Path of the file that has the session.',
  line: 'Line of the heading, counted from 1.',
  staged: 'True when the session is a draft that waits in the staging area.',
  unresolved: 'Names that were written although they match no block or several.',
} as const

const updated = {
  files: 'Paths of the files with a copy of the session that the write changes.',
  unresolved: 'Names that were written although they match no block or several.',
} as const

const hashed = {
  added: 'Sessions that had no baseline.',
  changed: 'Sessions whose text differed from their baseline.',
  unchanged: 'Sessions whose text equals their baseline.',
} as const

const fixedPart = 'Not changeable by this route; a request that has it is refused.'

export const sessionWriteDescriptions: Descriptions = {
  SessionMetadata: {
    locations: 'Places; a list replaces, an empty list removes, null or absent keeps.',
    logs: 'Addresses of transcripts; replaced as a whole.',
    pu: 'PU by character; replaced as a whole.',
    participants: 'Characters who take part; replaced as a whole.',
    changes: 'Changes of blocks; replaced as a whole.',
    transfers: 'Transfers of money; replaced as a whole.',
    intel: 'Messages to deliver at the close; replaced as a whole.',
    preserved: 'Other blocks, kept as they are; replaced as a whole.',
  },
  'SessionMetadata.pu': {
    character: 'Name of the character.',
    value: 'PU, in points with decimals; null while it is not settled.',
  },
  'SessionMetadata.changes': { entity: 'Name of the block that changes.', tags: 'Values that it gets.' },
  'SessionMetadata.changes.tags': { tag: 'Tag, with or without the at sign.', value: 'New value.' },
  'SessionMetadata.transfers': {
    amount: 'Amount of money, in coins of the denomination.',
    denomination: 'Name of the coin.',
    source: 'Name of who pays.',
    destination: 'Name of who receives.',
  },
  'SessionMetadata.intel': {
    target: 'Addressee: names, or a group or place with its prefix.',
    message: 'Text of the message.',
  },
  'SessionMetadata.preserved': { name: 'Name of the block.', items: 'Its rows, one text each.' },
  SessionCreate: { ...wanted, file: targetFile },
  SessionOpen: {
    ...wanted,
    date: 'Day of the session in the fiction, `YYYY-MM-DD`; today without it.',
    narrators: 'Names of the narrators, from 1 to 20; the caller without it.',
    file: targetFile,
  },
  SessionReport: wanted,
  UnresolvedName: {
    field: 'Place of the name in the request body.',
    name: 'The name as it was sent.',
    why: 'Whether the name matches no block (`unknown`) or several (`ambiguous`).',
    suggestions: 'Names that may be meant, best first.',
    more: 'Number of further matches that are not listed; absent when all are.',
  },
  SessionCreated: { created: 'Heading of the new session.', ...placedText },
  SessionOpened: { opened: 'Heading of the opened session.', ...placedText },
  SessionReported: { reported: 'Heading of the reported session.', ...placedText },
  SessionWouldCreate: { wouldCreate: 'Heading that the new session would have.', ...placedText },
  SessionWouldOpen: { wouldOpen: 'Heading that the opened session would have.', ...placedText },
  SessionWouldReport: { wouldReport: 'Heading that the reported session would have.', ...placedText },
  SessionPatch: {
    content: 'New prose; an empty text removes it, null or absent keeps it.',
    metadata: 'Blocks to replace.',
    upgrade: 'True rewrites every block in the current form; sent without other fields.',
    date: fixedPart,
    dateEnd: fixedPart,
    title: fixedPart,
    narrators: fixedPart,
    file: fixedPart,
  },
  SessionUpdated: { updated: 'Heading of the session.', ...updated },
  SessionWouldUpdate: { wouldUpdate: 'Heading of the session that would change.', ...updated },
  SessionHashAnswer: {
    hashed: 'Number of baselines that were written.',
    wouldHash: 'Number of baselines that would be written.',
    ...hashed,
  },
  RebaselineAnswer: {
    rebaselined: 'Heading of the session whose baseline was written.',
    wouldRebaseline: 'Heading of the session whose baseline would be written.',
    sha256: 'SHA-256 of the session text, hexadecimal; null without the right to read restricted topics.',
    changed: 'False when the baseline was of this text already.',
  },
  SessionGraphRebuilt: {
    rebuiltAt: 'When the graph was built, ISO 8601 in UTC.',
    NodeCount: 'Number of characters in the graph.',
    EdgeCount: 'Number of pairs who played together.',
  },
  RegistryAnswer: {
    Applied: 'True when the files were written; false for a dry run.',
    Roots: 'Number of outermost places.',
    Writes: 'Number of registry files by the result: with sessions, empty or unchanged.',
    Deletes: 'Paths of generated files that no place needs any more.',
    Holdouts: 'Paths of files that a person wrote and that are left as they are.',
    Placement: 'Number of sessions by how they could be placed.',
  },
  'RegistryAnswer.Writes': {
    Populated: 'Files with sessions.',
    Empty: 'Files without sessions.',
    Unchanged: 'Files that already have this content.',
  },
  'RegistryAnswer.Placement': {
    Placed: 'Sessions in the registry of a place.',
    RegisteredUnplaced: 'Sessions whose places have no registry.',
    NoLocation: 'Sessions that name no place.',
    Total: 'All sessions.',
  },
}
