import type { PinnedKey } from '#protocol/host/addresses.js'
import { escapeControls, printedJson } from '../escape-controls.js'
import type { Output } from '../output.js'

export interface TrustOptions {
  /** The addresses to accept; empty: all, unless a folder is named. */
  readonly keys: ReadonlyArray<PinnedKey>
  readonly repo: string
  readonly state?: string
  readonly tree?: ReadonlyArray<string>
  readonly forgetTree?: ReadonlyArray<string>
  readonly dryRun: boolean
  readonly json: boolean
}

/** An address before and after the command, for display; null where there is none. */
export interface TrustedAddress {
  readonly key: PinnedKey
  readonly before: string | null
  readonly after: string | null
  /** The variable that gave the address to the last start, so that nothing committed counts; null: none. */
  readonly givenIn: string | null
  readonly changed: boolean
}

export interface TrustedFolder {
  readonly folder: string
  readonly change: 'allowed' | 'forgotten'
}

/** What `kronika trust` changed, or would change. */
export interface TrustReport {
  readonly state: string
  readonly dryRun: boolean
  readonly addresses: ReadonlyArray<TrustedAddress>
  readonly folders: ReadonlyArray<TrustedFolder>
}

/** Prints what changed: each address with the old and the new one, each folder, and what to do next. */
export const printTrust = (
  report: TrustReport,
  { json }: Pick<TrustOptions, 'json'>,
  output: Output,
): void => {
  const { addresses, folders, dryRun } = report
  if (json) return output.out(printedJson(report))
  for (const one of addresses) output.out(escapeControls(lineOf(one)))
  for (const { folder, change } of folders) output.out(escapeControls(`${folder}: ${change}`))
  const isChanged = folders.length > 0 || addresses.some(({ changed }) => changed)
  output.err(
    !isChanged
      ? 'Nothing to accept.'
      : dryRun
        ? 'Nothing was changed, since this is a dry run.'
        : 'Restart the host to use it.',
  )
}

const lineOf = ({ key, before, after, givenIn, changed }: TrustedAddress): string => {
  if (givenIn !== null) return `${key}: ${before ?? 'unusable'}, given in ${givenIn}`
  return changed
    ? `${key}: ${before ?? 'not pinned'} -> ${after ?? ''}`
    : `${key}: ${before ?? ''}, as before`
}
