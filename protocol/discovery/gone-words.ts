/** What is said of a repository that does not stand. Answers tell it too, so it names no folder. */
export const goneWords = 'the repository was moved, removed or replaced while this host served it'

/** What ends that. */
export const goneMend = 'Put it back, or stop the host and start it with the new folder.'

/** Why nothing is committed without the state area. Answers have it too, so it names no folder. */
export const stateGoneWords = 'the state area was moved, removed or replaced while this host used it'

/** What ends that: the host compares the file that it opened, so a copy counts from a new start alone. */
export const stateGoneMend =
  'Move the same folder back: the host goes on by itself. With a copy of it, stop the host, put the copy there and ' +
  'start it again. Without either, restart the host: it creates an empty state area. Then mint the named tokens ' +
  'again.'
