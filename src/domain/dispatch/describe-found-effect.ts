import type { DispatchKind } from '#protocol/chat/dispatch.js'

/** The answer to the sender of an interaction whose effect the branch had before the attempt. */
export const describeFoundEffect = (kind: DispatchKind): string =>
  kind === 'close' ? 'Zamknięcie tej sesji jest już zapisane.' : 'To zgłoszenie jest już zapisane.'
