import type { Descriptions } from '../description.js'
import { candidatesMax, candidatesShown, distanceMax } from './limits.js'

const optionsText = {
  typ: 'Only blocks of this type.',
  type: 'Another spelling of `typ`; send one of the two.',
  within: 'Only what lies in this place: a heading, an alias or a path `A/B` of a Lokacja.',
  activeOn:
    'Day on which aliases, types and places count; without it aliases of any day and the rest as of today.',
  noFuzzy: 'True to leave out misspellings; default false.',
  topN: `Most candidates of the answer, 1 to ${candidatesMax}; default ${candidatesShown}.`,
  maxDistance: `Most letters that a misspelling may differ by, 0 to ${distanceMax}; default ${distanceMax}.`,
} as const

const block = {
  name: 'Heading of the block.',
  typ: 'Type of the block.',
  plik: 'Document of the block, from `@plik`; null without one.',
} as const

const stage =
  'Stage that found it: exact, alias, declension, alternation, title, lemma or fuzzy, as `docs/spec/names.md` explains.'

const acceptedText = {
  name: 'Heading of the block that has the spelling now.',
  type: 'Type of that block.',
} as const

export const nameDescriptions: Descriptions = {
  NameQuery: { name: 'The name, in any case and grammatical form.', ...optionsText },
  NameBatch: { queries: 'Names, or whole queries as of `POST /resolve`; at most 10,000.', ...optionsText },
  ResolvedName: {
    name: 'Heading of the block; null where several blocks have the name.',
    typ: 'Type of the block; null where several blocks have the name.',
    plik: block.plik,
    stage,
    confidence: 'How sure the stage is, 0 to 1; 1 for a heading.',
    ambiguous: 'True when several blocks have the name.',
    candidates: 'The blocks that the name may mean, best first, each with the form it was found by.',
    rewrites: 'How the name was rewritten to reach each candidate; only with `explain=true`.',
  },
  NameCandidate: {
    ...block,
    form: 'Heading or other spelling of the block that the name is a form of.',
    cases: 'Number and case of the form, as `sg.gen`; empty where they are not known.',
  },
  NameRewrite: {
    from: 'The name as it was asked.',
    to: 'Heading or other spelling that it was traced back to.',
    stage,
    rule: 'What was undone, such as an ending, a title or a number of letters.',
    name: 'Heading of the block.',
    typ: 'Type of the block.',
  },
  BatchResult: {
    token: 'The name as it was asked.',
    resolved: 'Heading of the block; null on a miss and where several blocks have the name.',
    typ: 'Type of the block; null without one.',
    stage: 'Stage that found it, or `miss`.',
    ambiguous: 'True when several blocks have the name; else absent.',
  },
  TokenOwners: {
    source: 'What the text is: a heading, an alias, a common noun, or one word of a longer name.',
    ambiguous: 'True when several blocks have it.',
    owners: 'The blocks that have it, at most 200.',
    more: 'Number of blocks that are not listed; absent when all are.',
  },
  TokenOwner: {
    name: 'Heading of the block.',
    type: 'Type of the block.',
    priority: '1 when the text is a whole name, 2 when it is one word of a longer name.',
  },
  NameIndexRebuilt: {
    rebuiltAt: 'Moment of the build, UTC.',
    buildMs: 'Duration of the build, in milliseconds.',
    indexStats: 'Size of the index.',
  },
  'NameIndexRebuilt.indexStats': {
    tokens: 'Number of different spellings, single words of names included.',
    stems: 'Number of different generated forms.',
  },
  AliasAcceptance: {
    surface: 'The spelling, as it becomes the value of `@alias`.',
    name: 'Heading or alias of the block that gets it.',
    type: 'Type of that block, where several have the name.',
  },
  AliasAccepted: { accepted: 'The spelling as it is written.', ...acceptedText },
  AliasPreview: { wouldAccept: 'The spelling as it would be written.', ...acceptedText },
  EntitySearch: {
    query: 'The text that was searched.',
    total: 'Number of all matching entities.',
    limit: 'Size of the page.',
    offset: 'Number of matches before the page.',
    truncated: 'True when the page does not have all matches.',
  },
  SurfaceSuggestion: {
    surface: 'The text as it is written most often.',
    occurrences: 'Number of places that have it, in any case.',
    name: 'Heading of the block that it probably means.',
    type: 'Type of that block.',
    confidence: 'How near the text is to a name of the block, 0 to 1.',
    witnesses: 'The first places that have it, at most 5.',
  },
  NameWitness: {
    kind: '`row` of a block, `block` of a session, or `prose` of a session.',
    file: 'Path of the file.',
    line: 'Line in the file, counted from 1: of the row, or of the heading of the session.',
    session: 'Heading of the session; null when a row has the text.',
    entity: 'Heading of the block with the row; null when a session has the text.',
  },
  NameSuggestions: {
    leftOut: 'Number of the rarest texts that were not looked up; 0 except in a very large lore.',
    locations: 'Texts that sessions name as locations, most frequent first; empty without `session.read`.',
  },
  NamedLocations: {
    total: 'Number of locations before the window was cut.',
    leftOut: 'Number of the rarest locations that are not described; 0 except in a very large lore.',
  },
  NamedLocation: {
    Name: 'Most frequent spelling.',
    NormalizedName: 'The spelling without capitals and repeated blanks.',
    Variants: 'Other spellings, most frequent first.',
    OccurrenceCount: 'Number of mentions.',
    InferredParents: 'Places that a path such as `A/B` puts it in.',
    InferredChildren: 'Places that a path puts in it.',
    LikelyResolvesTo: 'Names of this report that it probably stands for, best first.',
    EntityMatch: 'The block that it means; null when there is none.',
    Conflicts: 'What a reviewer should look at.',
    Witnesses: 'The first sessions that name it, at most 5.',
  },
  LikelyLocation: {
    Name: 'A name of this report.',
    Reason: 'QualifiedPath: it ends that path. EditDistance: that many letters differ.',
    Confidence: 'How sure that is.',
  },
  LocationMatch: {
    Name: 'Heading of the block; null where several blocks have the name.',
    Type: 'Type of the block; another than Lokacja where the text names no place.',
    Match: '`Exact` by a heading or alias, else `Fuzzy`.',
    Stage: stage,
    Ambiguous: 'True when several blocks have the name.',
  },
  LocationConflict: {
    Kind: 'What conflicts: `docs/spec/name-routes.md#locations` explains each kind.',
    With: 'The spellings, paths or places that conflict.',
  },
}
