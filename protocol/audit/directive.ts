import * as t from 'io-ts'

/** What the target of an Intel entry asks for: a group, a place with all below it, or the names themselves. */
export const Directive = t.keyof({ Grupa: null, Lokacja: null, Direct: null }, 'Directive')
export type Directive = t.TypeOf<typeof Directive>
