/** Sets the page's URL to the sign-up with this email address. Specification, section 2. */
export function setSignUpAddress(email: string) {
  history.replaceState(null, '', `/?signup&${new URLSearchParams({ tab: 'email', email })}`)
}

/** Sets the page's URL back to the sign-in. Specification, section 2. */
export function setSignInAddress() {
  history.replaceState(null, '', '/')
}
