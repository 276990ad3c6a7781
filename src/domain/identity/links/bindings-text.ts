import { recordListText } from '#src/domain/lore/edits/record-list.js'
import type { Binding } from './bindings.js'

/**
 * `.svc/bindings.json`: a binding a line, in the order they were made, as a merge of two hosts orders them
 * too (ADR 1016). Fields that this daemon does not know stay.
 */
export const bindingsText = (
  head: Readonly<Record<string, unknown>>,
  bindings: ReadonlyArray<Binding>,
): string => recordListText(head, 'bindings', bindings)
