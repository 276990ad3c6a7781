/** Bounds of what a wish for a named token may say; the reference and the help of the command tell them too. */
export const tokenNameCharsMax = 100
/** Ten years. */
export const tokenLifetimeSecondsMax = 315_360_000
