/** The two parts of an upload in one request: what is said about the object, and its content. */
export interface Parts {
  readonly description: unknown
  readonly content: Buffer
}

/** Reads a `multipart/related` body; null for what is none. The content is bytes, and may hold anything. */
export function readParts(contentType: string, body: Buffer): Parts | null {
  const boundary = /^multipart\/related;\s*boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (!boundary) return null
  const first = partAfter(body, Buffer.from(`--${boundary}\r\n`), 0)
  const second = first && partAfter(body, Buffer.from(`--${boundary}\r\n`), first.end)
  const end = body.lastIndexOf(`\r\n--${boundary}--`)
  if (!first || !second || end < second.start) return null
  const described = body.subarray(first.start, body.indexOf(`\r\n--${boundary}\r\n`, first.start))
  try {
    return { description: JSON.parse(described.toString('utf8')), content: body.subarray(second.start, end) }
  } catch {
    return null
  }
}

/** Where the content of the next part begins, after its headers; `end`: from where to look for another one. */
function partAfter(body: Buffer, delimiter: Buffer, from: number) {
  const at = body.indexOf(delimiter, from)
  const headersEnd = at < 0 ? -1 : body.indexOf('\r\n\r\n', at)
  return headersEnd < 0 ? null : { start: headersEnd + 4, end: headersEnd + 4 }
}
