export interface UploadParts {
  readonly description: unknown
  readonly content: Buffer
}

/** Null if the body is invalid. The content may be any bytes. */
export function parseUploadParts(contentType: string, body: Buffer): UploadParts | null {
  const boundary = /^multipart\/related;\s*boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (!boundary) return null
  const first = findPart(body, Buffer.from(`--${boundary}\r\n`), 0)
  const second = first && findPart(body, Buffer.from(`--${boundary}\r\n`), first.end)
  const end = body.lastIndexOf(`\r\n--${boundary}--`)
  if (!first || !second || end < second.start) return null
  const described = body.subarray(first.start, body.indexOf(`\r\n--${boundary}\r\n`, first.start))
  try {
    return { description: JSON.parse(described.toString('utf8')), content: body.subarray(second.start, end) }
  } catch {
    return null
  }
}

/** `end`: where to search for more. */
function findPart(body: Buffer, delimiter: Buffer, from: number) {
  const at = body.indexOf(delimiter, from)
  const headersEnd = at < 0 ? -1 : body.indexOf('\r\n\r\n', at)
  return headersEnd < 0 ? null : { start: headersEnd + 4, end: headersEnd + 4 }
}
