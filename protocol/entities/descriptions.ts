import type { Descriptions } from '../description.js'

const subjectText = {
  entity: 'Heading of the block that the path names.',
  type: 'Type of that block.',
} as const

const sourceText = {
  file: 'Path of the file that has the row or the session; null without one.',
  session: 'Heading of the session that states it; null when a row of the index does.',
} as const

const dated = {
  date: 'First day, `YYYY-MM-DD`; null when undated.',
  dateEnd: 'Last day, `YYYY-MM-DD`; null when open.',
  property: 'What the entry tells of, in Polish: a property of the block, or `Sesja`.',
  value: 'Value of the row, or title of the session.',
  auto: 'True when a program wrote the row.',
  ...sourceText,
} as const

const entity = {
  Name: 'Heading of the block.',
  Type: 'Type of the block, from the closed vocabulary of `GET /schema`.',
  Status: 'Status on the requested day.',
  Owner: 'Owner on the requested day, as written in `@należy_do`; null without one.',
  Groups: 'Groups on the requested day, as written in `@grupa`.',
  Location: 'Place on the requested day; of a Lokacja, the place that contains it; null when unknown.',
  Region: 'Region on the requested day; null when none is written.',
  Doors: 'Places that a `@drzwi` row leads to on the requested day.',
  Aliases: 'Other names on the requested day.',
  GenericNames: 'Common nouns that stand for the block in prose.',
  Quantity: 'Amount of an item or of money, in units of the block; null when none is written.',
  GameId: 'Id in the game; null when none is written.',
  PuStartowe: 'PU at the creation of the character, two decimals; null when unknown.',
  PuSuma: 'PU altogether: starting plus earned, two decimals; null when unknown.',
  PuZdobyte: 'PU earned in sessions, two decimals; null when unknown.',
  PuNadmiar: 'PU above the monthly maximum, kept for a later batch, two decimals; null when unknown.',
  Info: 'Values of `@info`, one text each.',
  Document: 'Path or address of the document, from `@plik`; null without one.',
  Tags: 'Every row of the block as it was read, unknown tags included.',
  RefFile: 'File that an `@ref` row of the block reads in; null without one.',
  RefForm: 'Form of the `@ref` file; null without one.',
  RefBroken: 'True when the `@ref` row cannot be followed.',
  RefBrokenReason: 'Why the `@ref` row cannot be followed, in Polish; null when it can.',
  File: 'Path of the file that has the block.',
  Line: 'Line of the heading, counted from 1.',
  MatchedToken: 'Part of the search text that matched this block; null outside a search.',
  MatchStage: 'Stage of the search that found this block; null outside a search.',
} as const

export const entityDescriptions: Descriptions = {
  Entity: entity,
  EntityFetch: {
    ...entity,
    AlsoTypes: 'Types of the other blocks with the same heading; choose one with `?type=`.',
  },
  EntityTag: {
    Tag: 'Tag of the row, without the at sign.',
    Value: 'Value of the row, its continuation lines joined by newlines.',
    From: 'First day of the range as written: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; null when open.',
    To: 'Last day of the range as written; null when open.',
    Auto: 'True when a program wrote the row.',
    File: 'Path of the file that has the row; null when a session states it.',
    Session: 'Heading of the session that states the row; null when a file does.',
    Line: 'Line of the row in its file, counted from 1; null when a session states it.',
  },
  EntityLink: {
    n: 'Heading of the block.',
    t: 'Type of the block.',
    p: 'Document of the block, from `@plik`; null without one.',
    s: 'Other spellings of the name: aliases and common nouns.',
  },
  EntityPlayer: {
    ...subjectText,
    player: 'The Gracz who owns the block, directly or through other owners; null when none does.',
    through: 'Owners between the block and the Gracz, nearest first.',
  },
  GraczProjection: {
    Name: 'Heading of the person in the contributor store.',
    Type: 'Always `Gracz`.',
    GameId: 'Id of the person in the game; null when none is open today.',
  },
  EntityName: { name: 'Heading of the block.', type: 'Type of the block.' },
  EntitySessions: {
    entity: 'Heading of the block that the path names.',
    sessions: 'Sessions that mention the block, or are set there, oldest first.',
  },
  EntitySession: {
    header: 'Heading of the session: `date, title, narrator`.',
    date: 'Day of the session in the fiction, `YYYY-MM-DD`.',
    logCount: 'Number of transcript addresses of the session.',
  },
  EntityPath: {
    ...subjectText,
    path: 'Path in the tree of places: the type, then the places from the outermost down, separated by slashes.',
    ancestors: 'Places that contain the block, outermost first.',
    cycle: 'True when the places contain each other, so that the path is cut.',
  },
  EntityAncestor: { name: 'Name of the place.', type: 'Type of its block; null when it has no block.' },
  EntityFile: {
    ...subjectText,
    file: 'Path of the document in the repository.',
    content: 'Text of the document, as Markdown.',
    cut: 'True when the text lacks parts that the caller may not read: sessions, topics, credentials.',
  },
  EntityLocations: {
    ...subjectText,
    current: 'Place on the requested day; null when unknown.',
    items: 'Places in the order of precedence: undated first, then by first day.',
  },
  EntityStay: {
    location: 'Name of the place, as written.',
    from: 'First day, `YYYY-MM-DD`; null when open.',
    to: 'Last day, `YYYY-MM-DD`; null when open.',
    active:
      'True for the one place of the requested day: of several ranges that cover it, the last to begin.',
    ...sourceText,
  },
  EntityReference: {
    name: 'Name as the row has it.',
    type: 'Type of the block that the name means; null when it means none.',
  },
  EntityRelations: {
    ...subjectText,
    owner: 'Owner on the requested day; null without one.',
    owned: 'Blocks that name this one as their owner.',
    groups: 'Groups that the block belongs to.',
    members: 'Blocks that name this one as their group.',
    location: 'Place of the block; null when unknown.',
    residents: 'Blocks that name this one as their place.',
    doors: 'Places that a `@drzwi` row of the block leads to.',
    refs: 'Files that `@ref` rows of the block read in.',
  },
  EntityRef: {
    file: 'Path that the `@ref` row names.',
    form: 'Form of that file, `list` or `index`; null when it cannot be read.',
    brokenReason: 'Why the row cannot be followed, in Polish; null when it can.',
  },
  TimelineEntry: dated,
  HistoryEntry: {
    ...dated,
    tag: 'Tag of the row, without the at sign.',
    line: 'Line of the row in its file, counted from 1; null when a session states it.',
  },
  EntityHistory: subjectText,
  EntityTimeline: { ...subjectText, items: 'Dated rows and sessions, oldest first.' },
}
