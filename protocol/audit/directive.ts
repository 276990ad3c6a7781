import * as t from 'io-ts'

/**
 * What the target of an Intel entry names: a group, a place with all places in it, or the recipients
 * themselves.
 */
export const Directive = t.keyof({ Grupa: null, Lokacja: null, Direct: null }, 'Directive')
export type Directive = t.TypeOf<typeof Directive>
