/**
 * An answer to an interaction that was given up, as it goes on record: without its text and without its token. Its id
 * is that of the interaction.
 */
export interface GivenUpAnswer {
  readonly id: string
  readonly attempts: number
  /** When the interaction was accepted. */
  readonly queuedMs: number
  readonly end:
    | { readonly _tag: 'Refused'; readonly code: number | null; readonly detail: string }
    | { readonly _tag: 'Unknown'; readonly detail: string }
}
