// Before the first paint: the theme that the person chose.
try {
  const { theme } = JSON.parse(localStorage.getItem("spieltisch.settings") ?? "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // nothing is remembered
}
