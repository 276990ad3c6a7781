const townName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u

/** Whether a text can name a host of the fleet. */
export const isTownName = (text: string): boolean => townName.test(text)
