import { orDiskRefused } from '#src/node/start/disk-refusal.js'
import type { IsFirstShowing, ShownIdTokenStore } from '#src/ports/identity/shown-id-tokens.js'

/** Whether an id token is shown for the first time, asked of what this host keeps. */
export const firstShowingIn =
  (store: ShownIdTokenStore): IsFirstShowing =>
  (text, refusedFromMs, nowMs) =>
    orDiskRefused('The sign-in', () => store.keep(text, refusedFromMs, nowMs))
