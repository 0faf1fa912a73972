/** This page works without the app around it, signed in or not. */
export const RECEIPT_CHECK_PATH = '/check-receipt.html'
