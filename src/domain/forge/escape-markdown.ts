/**
 * A text of a caller on one line of a description, shown as it is written: it pings no person, refers to no issue
 * that a merge would close, and has no link, picture or tag.
 */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>#!@&~%$|]/g, '\\$&')
