/** Specification, section 2. */
export function setSignUpAddress(email: string) {
  history.replaceState(null, '', `/?signup&${new URLSearchParams({ tab: 'email', email })}`)
}

/** Specification, section 2. */
export function setSignInAddress() {
  history.replaceState(null, '', '/')
}
