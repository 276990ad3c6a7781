const versionIn = /^kronika-version: (\S+)$/m

/** The line of a description that names the version of the file that the request changes. */
export const versionLineOf = (version: string): string => `kronika-version: ${version}`

/**
 * Whether a request with this description changes another version of the file. A branch gets the same name again
 * when a file goes back to an earlier text. A description without the line is of every version.
 */
export const isOfOtherVersion = (description: string, version: string): boolean => {
  const named = versionIn.exec(description)?.[1]
  return named !== undefined && named !== version
}
