import { orDiskRefused } from '#src/node/start/disk-refusal.js'
import type { IsFirstShowing, ShownIdTokenStore } from '#src/ports/identity.js'

/** Whether this host sees an id token for the first time, by its store. */
export const firstShowingIn =
  (store: ShownIdTokenStore): IsFirstShowing =>
  (text, refusedFromMs, nowMs) =>
    orDiskRefused('The sign-in', () => store.keep(text, refusedFromMs, nowMs))
