/** The version of the product; the packed package carries the same. */
export const version = '0.1.0'
