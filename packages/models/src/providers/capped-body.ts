/** Reads the body of a response no further than a bound, whatever length it announces. Lets go of the rest of one that is longer. */

/** Undefined where there is more. Rejects where the body cannot be read to its end. */
export async function cappedBytes(response: Response, mostBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function cappedText(response: Response, mostBytes: number): Promise<string | undefined> {
  const bytes = await cappedBytes(response, mostBytes)
  return bytes && new TextDecoder().decode(bytes)
}
