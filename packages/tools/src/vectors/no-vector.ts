/** Owns what is said where a text could not be turned into a vector. */
import type { EmbeddedTexts } from '@countersign/contract'

export function noVector(embedded: EmbeddedTexts | undefined): string {
  const reason = embedded?.kind === 'failed' ? embedded.reason : 'there is no model for embeddings'
  return `The text could not be embedded: ${reason}. The operator installs a model of this machine with \`countersign provider add local-embeddings\`, or chooses one with \`countersign model use\`.`
}
