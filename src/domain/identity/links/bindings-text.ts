import { recordListText } from '#src/domain/lore/edits/record-list.js'
import type { Binding } from './bindings.js'

/**
 * The text of `.svc/bindings.json`: one binding a line in order of creation, which a merge of two hosts also
 * uses (ADR 1016). Fields in `head` that this daemon does not know are kept.
 */
export const bindingsText = (
  head: Readonly<Record<string, unknown>>,
  bindings: ReadonlyArray<Binding>,
): string => recordListText(head, 'bindings', bindings)
