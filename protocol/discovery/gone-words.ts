/** What is said of a repository that does not stand. Answers tell it too, so it names no folder. */
export const goneWords = 'the repository was moved, removed or replaced while this host served it'

/** What ends that. */
export const goneMend = 'Put it back, or stop the host and start it with the new folder.'

/** Why nothing is committed without the state area. Answers have it too, so it names no folder. */
export const stateGoneWords = 'the state area was moved, removed or replaced while this host used it'
