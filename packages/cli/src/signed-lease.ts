/** The way to leases and signatures that loads nothing else of the contract: commands that are asked often pass here. */
export {
  folderProblem,
  type Lease,
  leaseIn,
  publicKeyOf,
  requireOwnFolder,
  type SignedLease,
  sha256Hex,
  verifyText,
} from '@countersign/contract/node'
