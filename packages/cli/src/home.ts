/** The way to `homePaths` that loads nothing else of the contract: every command passes here. */
export { type HomePaths, homePaths } from '@countersign/contract/node'
