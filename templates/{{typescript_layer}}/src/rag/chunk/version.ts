/** Apart from the chunker, so that a search need not load it. */

/** Raised whenever the same document and settings would give other chunks. */
export const CHUNKER_VERSION = 2;
