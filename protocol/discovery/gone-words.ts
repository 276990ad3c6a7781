/** The message about a missing repository. It is also in answers, so it names no folder. */
export const goneWords = 'the repository was moved, removed or replaced while this host served it'

/** What to do about it. */
export const goneMend = 'Put it back, or stop the host and start it with the new folder.'

/** Why the daemon commits nothing without the state area. It is also in answers, so it names no folder. */
export const stateGoneWords = 'the state area was moved, removed or replaced while this host used it'

/**
 * What to do about it. The host recognises the file that it opened, so a copy counts only after a restart.
 */
export const stateGoneMend =
  'Move the same folder back: the host goes on by itself. With a copy of it, stop the host, put the copy there and ' +
  'start it again. Without either, restart the host: it creates an empty state area. Then mint the named tokens ' +
  'again.'
