/**
 * Whether the text of an answer is a web page, as of a proxy, a firewall or a sign-in page: an interface that speaks
 * JSON sends none.
 */
export const isWebPage = (text: string): boolean =>
  /^\ufeff?\s*<(?:!doctype|!--|html|head|body|\?xml)/i.test(text)
