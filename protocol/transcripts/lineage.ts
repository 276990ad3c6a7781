import * as t from 'io-ts'
import { EntityType } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { EntityTypeText } from '../query.js'
import { ofHost, route, type Table } from '../route.js'

const textOrNull = t.union([t.string, t.null])

const Witness = t.type({ session: t.string, log: textOrNull, text: t.string }, 'LineageWitness')

const Membership = t.type(
  {
    kind: t.string,
    group: t.string,
    groupType: EntityType,
    sessions: t.number,
    logs: t.number,
    guard: t.boolean,
    state: t.keyof({ candidate: null, thin: null, lore: null, ruled: null }),
    witnesses: t.readonlyArray(Witness),
  },
  'LineageMembership',
)

const Origin = t.type(
  {
    session: t.string,
    date: t.string,
    how: t.keyof({ spoke: null, mentioned: null }),
    text: t.string,
  },
  'LineageOrigin',
)

const Stated = t.type({ value: t.string, auto: t.boolean }, 'LineageStated')

const StatedGroup = t.type(
  { value: t.string, auto: t.boolean, kind: t.keyof({ organisation: null, tier: null }) },
  'LineageStatedGroup',
)

/** Where an entity comes from and belongs to (B 2.1). */
export const Lineage = t.type(
  {
    name: t.string,
    type: EntityType,
    origin: t.union([Origin, t.null]),
    originProposal: textOrNull,
    memberships: t.readonlyArray(Membership),
    members: t.readonlyArray(t.string),
    lore: t.type({ pochodzenie: t.union([Stated, t.null]), grupa: t.readonlyArray(StatedGroup) }),
    store: t.boolean,
    guard: t.type({ sessions: t.number, logs: t.number }),
  },
  'Lineage',
)
export type Lineage = t.TypeOf<typeof Lineage>

/** What the corpus shows of the lineage of one entity (B 4.1). */
export const lineageRoutes = {
  'entities.lineage.get': route({
    ...ofHost,
    method: 'GET',
    path: '/entities/{name}/lineage',
    summary:
      'Origin and memberships of an entity as transcripts and sessions show them, with their witnesses.',
    capability: 'log.read',
    query: { type: EntityTypeText },
    body: null,
    answers: { 200: Lineage },
    refusals: ['EntityNotFound', 'Starting'],
    source: 'B 2.1, 4.1, docs/spec/transcripts.md#lineage',
    example: { path: { name: 'Bogdan' }, query: { type: 'NPC' } },
  }),
} as const satisfies Table

/** What the fields of these rows mean. */
export const lineageDescriptions: Descriptions = {
  Lineage: {
    name: 'Heading of the block.',
    type: 'Type of the block.',
    origin: 'The first session in which it spoke or was named; null where no transcript has it.',
    originProposal:
      'Header that the autopilot would write as `@pochodzenie`; null where it would write none.',
    memberships: 'Groups that witnesses place it in, those with the most sessions first.',
    members: 'Of a Grupa: headings of the blocks that witnesses place in it.',
    lore: 'What its block states.',
    store: 'Whether this host can write the sample store, without which the autopilot writes nothing.',
    guard: 'How many sessions and transcripts a membership needs to be a candidate.',
  },
  'Lineage.lore': {
    pochodzenie: 'The `@pochodzenie` of its block; null without one.',
    grupa: 'Every `@grupa` of its block.',
  },
  'Lineage.guard': { sessions: 'Sessions that a membership needs.', logs: 'Transcripts that it needs.' },
  LineageMembership: {
    kind: 'Pattern of the first witness, such as `from` or `belongs`.',
    group: 'Heading of the group.',
    groupType: 'Type of the group.',
    sessions: 'Sessions with a witness that no ruling excludes.',
    logs: 'Transcripts with such a witness.',
    guard: 'Whether both reach the guard.',
    state: '`candidate`: would be written; `thin`: below the guard; `lore`: stated; `ruled`: ruled out.',
    witnesses: 'The lines and sentences that show it.',
  },
  LineageWitness: {
    session: 'Header of the earliest session that the line counts for; empty without one.',
    log: 'Name of the transcript; null for the prose of a session.',
    text: 'The whole line or paragraph.',
  },
  LineageOrigin: {
    session: 'Header of the session.',
    date: 'Its day, `YYYY-MM-DD`.',
    how: 'Whether it spoke there or was named.',
    text: 'The line.',
  },
  LineageStated: { value: 'Value as written.', auto: 'Whether a machine wrote it.' },
  LineageStatedGroup: {
    value: 'Value as written.',
    auto: 'Whether a machine wrote it.',
    kind: '`organisation`: a Grupa has this name; else `tier`.',
  },
}
