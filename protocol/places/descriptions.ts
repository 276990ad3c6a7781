import type { Descriptions } from '../description.js'

const place = {
  Name: 'Heading of the place.',
  Type: 'Always `Lokacja`.',
  Status: 'Status on the day of the answer.',
  Location: 'Place that contains this one: its heading, or the text as written; null for an outermost place.',
  Path: 'Path in the tree of places: `Lokacja`, then the places from the outermost down, separated by slashes.',
  Doors: 'Places that a `@drzwi` row leads to.',
  Region: 'Region; null when none is written.',
  Outerior: 'True under the open sky, false indoors; null when not written.',
  Aliases: 'Other names of the place.',
  AlsoTypes: 'Types of the other blocks with the same heading.',
} as const

const tags = 'Values by tag without the at sign; a list for a tag with several values.'

const linked = { to: 'Heading of the place that the way leads to.' } as const

export const placeDescriptions: Descriptions = {
  LocationRow: place,
  Location: { ...place, Children: 'Headings of the places directly in this one, deleted ones left out.' },
  LocationGraph: {
    NodeCount: 'Number of places.',
    EdgeCount: 'Number of `Edges`.',
    Edges: 'Containments and doors between places.',
  },
  LocationEdge: {
    Source: 'Place whose block has the row.',
    Target: 'Place that the row names.',
    Type: 'Whether the target contains the source or a door leads to it.',
  },
  TraversalGraph: { EdgeCount: 'Number of `Edges`.', Edges: 'Moves between places.' },
  TraversalEdge: {
    Source: 'Place that the move starts in.',
    Target: 'Place that the move ends in.',
    Type: 'Whether the places are neighbours in the tree (`Containment`) or not (`Teleport`).',
    Weight: 'Number of moves.',
    Origins: 'What tells of the moves: sessions or transcripts.',
  },
  LocationCreate: { name: 'Heading of the new place.', tags },
  MapCreate: {
    name: 'Heading of the new map.',
    tags,
    gameid: 'Id of the map in the game.',
    url: 'Address of the picture of the map.',
    wymiary: 'Width and height of the map, as `96x64`.',
    koordynaty: 'Coordinates of the map.',
    slug: 'Short name of the map for addresses.',
    lokacja: 'Place that the map shows.',
  },
  TraversalLink: {
    source: 'Place that the way starts in; its block gets the row.',
    target: 'Place that the way leads to.',
    remove: 'True ends the way instead of making it.',
  },
  Linked: { linked: 'Heading of the place whose block was written.', ...linked },
  LinkPreview: { wouldLink: 'Heading of the place whose block would be written.', ...linked },
  LintFinding: {
    kind: 'Kind of the finding, from a closed set.',
    severity: 'Whether it is an error or a warning.',
    entity: 'Heading of the block; null when the finding is of a file.',
    reason: 'What is wrong, in Polish.',
    tag: 'Tag of the rows, where the finding is of one.',
    files: 'Paths of the files that it is about.',
    values: 'Values that conflict.',
  },
  ConvergeLint: {
    at: 'When the lint ran, ISO 8601 in UTC; null when it never did.',
    stats: 'Number of findings by severity.',
    findings: 'What the lint found.',
    fresh: 'True when the lint ran for this request, false when it was recorded after a converge.',
    sha: 'Commit that the lint looked at; null without one.',
  },
  'ConvergeLint.stats': {
    errors: 'Number of errors.',
    warnings: 'Number of warnings.',
    total: 'Both together.',
  },
  ClaimLint: {
    file: 'Path of the index that was looked at.',
    findingCount: 'Number of `findings`.',
    findings: 'What the lint of the index found.',
    stats: 'Numbers of rows and blocks of the index.',
    convergeLint: 'The lint of the whole lore after the last converge, or of now with `fresh`.',
  },
  'ClaimLint.stats': {
    claims: 'Rows of the index.',
    blocks: 'Blocks of the index.',
    splitGroups: 'Blocks that read rows from another file by `@ref`.',
    operator: 'Rows that a person wrote.',
    auto: 'Rows that a program wrote.',
  },
}
