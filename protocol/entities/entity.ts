import * as t from 'io-ts'
import { EntityType, Status } from '#protocol/atoms/vocabulary.js'

const TextOrNull = t.union([t.string, t.null])
const NumberOrNull = t.union([t.number, t.null])
const Texts = t.readonlyArray(t.string)

/**
 * One row of a block, unknown tags included (D22): the tag without the at sign, its value with continuation
 * lines joined by a newline, its range. `File` or `Session` is its source.
 */
export const EntityTag = t.type(
  {
    Tag: t.string,
    Value: t.string,
    From: TextOrNull,
    To: TextOrNull,
    /** Written by a machine. */
    Auto: t.boolean,
    File: TextOrNull,
    Session: TextOrNull,
    Line: NumberOrNull,
  },
  'EntityTag',
)
export type EntityTag = t.TypeOf<typeof EntityTag>

/**
 * The projection of an entity on a day (B 2.1, A 2.3, A 2.5). An absent scalar is null, an absent list empty
 * (D18). `Location` of a Lokacja is its parent. `File` and `Line` are the place of the block; `Document` is
 * `@plik`.
 */
export const EntityAnswer = t.type(
  {
    Name: t.string,
    Type: EntityType,
    Status: Status,
    Owner: TextOrNull,
    Groups: Texts,
    Location: TextOrNull,
    Region: TextOrNull,
    Doors: Texts,
    Aliases: Texts,
    GenericNames: Texts,
    Quantity: NumberOrNull,
    GameId: TextOrNull,
    PuStartowe: NumberOrNull,
    PuSuma: NumberOrNull,
    PuZdobyte: NumberOrNull,
    PuNadmiar: NumberOrNull,
    Info: Texts,
    Document: TextOrNull,
    Tags: t.readonlyArray(EntityTag),
    RefFile: TextOrNull,
    RefForm: t.union([t.keyof({ list: null, index: null }), t.null]),
    RefBroken: t.boolean,
    RefBrokenReason: TextOrNull,
    File: t.string,
    Line: t.number,
    /** The text that a search matched; null without a search. */
    MatchedToken: TextOrNull,
    MatchStage: TextOrNull,
  },
  'Entity',
)
export type EntityAnswer = t.TypeOf<typeof EntityAnswer>

/** A single entity, with the types of other blocks that share the heading (D12). */
export const EntityFetch = t.intersection(
  [EntityAnswer, t.type({ AlsoTypes: t.readonlyArray(EntityType) })],
  'EntityFetch',
)
export type EntityFetch = t.TypeOf<typeof EntityFetch>
