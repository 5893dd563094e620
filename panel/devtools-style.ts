/** Of the button, which is there whether the panel is opened or not. */
export const devtoolsStyle = `
:host {
  color-scheme: light dark;
}

:host([data-theme="light"]) {
  color-scheme: light;
}

:host([data-theme="dark"]) {
  color-scheme: dark;
}

.toggle,
.close {
  border: 1px solid light-dark(#878e99, #6d747f);
  border-radius: 4px;
  background: light-dark(#ffffff, #16181c);
  color: light-dark(#1b1e24, #e4e7ec);
  font: 12px / 1.4 system-ui, sans-serif;
  cursor: pointer;
}

.toggle {
  position: fixed;
  inset: auto 12px 12px auto;
  z-index: 2147483646;
  padding: 4px 10px;
}

.toggle:focus-visible,
.close:focus-visible {
  outline: 2px solid light-dark(#1f5fbf, #8ab8ff);
  outline-offset: -2px;
}
`
