import * as t from 'io-ts'

/**
 * Type guards for the codec classes of io-ts. After a bare `instanceof` the type parameters of the class
 * would be `any`; each guard narrows them to codecs and `unknown`. A guard checks the codec itself, not a
 * codec inside it.
 */

/** `t.type`. */
export const isInterface = (codec: t.Mixed): codec is t.InterfaceType<t.Props, unknown, unknown, unknown> =>
  codec instanceof t.InterfaceType
export const isPartial = (codec: t.Mixed): codec is t.PartialType<t.Props, unknown, unknown, unknown> =>
  codec instanceof t.PartialType
/** `t.exact` and `t.strict`. */
export const isExact = (codec: t.Mixed): codec is t.ExactType<t.Mixed, unknown, unknown, unknown> =>
  codec instanceof t.ExactType
export const isIntersection = (
  codec: t.Mixed,
): codec is t.IntersectionType<Array<t.Mixed>, unknown, unknown, unknown> =>
  codec instanceof t.IntersectionType
export const isUnion = (codec: t.Mixed): codec is t.UnionType<Array<t.Mixed>, unknown, unknown, unknown> =>
  codec instanceof t.UnionType
export const isTuple = (codec: t.Mixed): codec is t.TupleType<Array<t.Mixed>, unknown, unknown, unknown> =>
  codec instanceof t.TupleType
/** `t.array` and `t.readonlyArray`, not `t.UnknownArray`. */
export const isArray = (codec: t.Mixed): codec is t.ArrayType<t.Mixed, unknown, unknown, unknown> =>
  codec instanceof t.ArrayType || codec instanceof t.ReadonlyArrayType
/** `t.record`, not `t.UnknownRecord`. */
export const isDictionary = (
  codec: t.Mixed,
): codec is t.DictionaryType<t.Mixed, t.Mixed, unknown, unknown, unknown> => codec instanceof t.DictionaryType
/** `t.readonly`, not `t.readonlyArray`. */
export const isReadonly = (codec: t.Mixed): codec is t.ReadonlyType<t.Mixed, unknown, unknown, unknown> =>
  codec instanceof t.ReadonlyType
/** `t.refinement` and `t.brand`. */
export const isRefinement = (codec: t.Mixed): codec is t.RefinementType<t.Mixed, unknown, unknown, unknown> =>
  codec instanceof t.RefinementType
export const isRecursive = (codec: t.Mixed): codec is t.RecursiveType<t.Mixed, unknown, unknown, unknown> =>
  codec instanceof t.RecursiveType
export const isLiteral = (codec: t.Mixed): codec is t.LiteralType<string | number | boolean> =>
  codec instanceof t.LiteralType
export const isKeyof = (codec: t.Mixed): codec is t.KeyofType<Record<string, unknown>> =>
  codec instanceof t.KeyofType
