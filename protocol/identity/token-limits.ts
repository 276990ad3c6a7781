/** Limits of a requested named token, also shown in the reference and the help of the command. */
export const tokenNameCharsMax = 100
/** Ten years. */
export const tokenLifetimeSecondsMax = 315_360_000
