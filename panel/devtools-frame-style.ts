/** Of the frame; the panel in it brings its own. */
export const frameStyle = `
.frame {
  position: fixed;
  inset: auto 0 0;
  z-index: 2147483647;
  display: flex;
  flex-direction: column;
  block-size: min(var(--height), 100dvh);
  border-block-start: 1px solid light-dark(#878e99, #6d747f);
  background: light-dark(#ffffff, #16181c);
}

.handle {
  flex: none;
  block-size: 7px;
  background: light-dark(#f4f5f7, #1e2126);
  cursor: row-resize;
  touch-action: none;
}

.handle:focus-visible {
  outline: 2px solid light-dark(#1f5fbf, #8ab8ff);
  outline-offset: -2px;
}

.close {
  position: absolute;
  inset: -26px 12px auto auto;
  inline-size: 26px;
  block-size: 26px;
  border-end-start-radius: 0;
  border-end-end-radius: 0;
}

.panel {
  flex: 1;
  min-block-size: 0;
  overflow: hidden;
}

`
