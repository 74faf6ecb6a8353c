"use strict";
(() => {
  const film = document.querySelector("dialog.film");
  if (!film) return;
  const part = (name) => film.querySelector(name);
  const stage = part(".stage"), shown = part("use"), arrow = part(".arrow"), rings = film.querySelectorAll("circle");
  const words = part(".words"), action = part(".does"), toggle = part(".toggle"), position = part("input");
  const time = part("output");
  const moveMs = Number(film.dataset.move), ringMs = Number(film.dataset.ring);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const arrowScale = 1.5, usualWidth = 1280; // in a picture of this width, as in a film file

  // What is played: each step with its pictures and its place in time, and then the ending.
  const told = (section, name) => section.querySelector(`.tao .${name} + dd`)?.textContent ?? "";
  const pairs = (text) => text.split(" ").filter(Boolean).map((pair) => pair.split(",").map(Number));
  let length = 0, latest = null, resting = null;
  const scenes = [...document.querySelectorAll(".step")].map((section, index, all) => {
    const { before, after, places, read, rest } = section.dataset;
    const path = pairs(places), error = told(section, "error");
    const scene = {
      index, path, error, start: length, read: Number(read), count: `${index + 1} of ${all.length}`,
      before: before || latest || after, after: after || before || latest,
      words: told(section, "thought"), action: told(section, "action"), from: resting,
    };
    latest = scene.after;
    resting = path.at(-1) ?? resting;
    length += scene.read + path.length * (moveMs + ringMs) + Number(rest);
    return scene;
  });
  const first = scenes.find((scene) => scene.before)?.before;
  scenes.push({
    index: scenes.length - 1, path: [], error: "", start: length, read: Number(film.dataset.rest), count: "",
    before: latest, after: latest, words: document.querySelector(".outcome .said").textContent,
    action: document.querySelector(".outcome strong").textContent, from: resting,
  });
  length += Number(film.dataset.rest);

  let at = 0, last = 0, playing = false, held = false;
  const sceneAt = (ms) => scenes.findLast((scene) => scene.start <= ms);

  // Where the pointer is after so many milliseconds of a scene, and whether there is a ring around it.
  function pointed(scene, ms, middle) {
    let from = scene.from ?? middle, left = ms - scene.read;
    for (const [leg, to] of scene.path.entries()) {
      if (left < 0) break;
      if (left < moveMs && !still.matches) {
        const gone = left / moveMs, eased = gone * gone * (3 - 2 * gone);
        return { place: from.map((start, axis) => start + (to[axis] - start) * eased), ring: leg > 0 };
      }
      from = to;
      left -= moveMs + ringMs;
      if (left < 0) return { place: to, ring: true };
    }
    return { place: from, ring: false };
  }

  function say(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }
  const clock = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

  function draw() {
    const scene = sceneAt(at), ms = at - scene.start;
    const over = ms >= scene.read + scene.path.length * (moveMs + ringMs);
    const name = (over ? scene.after : scene.before) ?? first, picture = document.getElementById(name);
    const [width, height] = ["width", "height"].map((side) => Number(picture.getAttribute(side)));
    const { place: [x, y], ring } = pointed(scene, ms, [width / 2, height / 2]);
    stage.setAttribute("viewBox", `0 0 ${width} ${height}`);
    shown.setAttribute("href", `#${name}`);
    arrow.setAttribute("transform", `translate(${x} ${y}) scale(${arrowScale * Math.max(width / usualWidth, 0.25)})`);
    for (const circle of rings) {
      for (const [key, value] of Object.entries({ cx: x, cy: y, r: Math.floor(width / 64) })) circle.setAttribute(key, value);
      circle.toggleAttribute("hidden", !ring);
    }
    const failed = over && scene.error;
    say(words, scene.words);
    say(action, failed || scene.action);
    action.classList.toggle("error", Boolean(failed));
    film.classList.toggle("over", scene === scenes.at(-1));
    say(time, [scene.count && `Step ${scene.count}`, `${clock(at)} / ${clock(length)}`].filter(Boolean).join(" · "));
    position.value = at;
    position.setAttribute("aria-valuetext", time.textContent);
  }

  function play(on) {
    if (on && at >= length) at = 0;
    playing = on;
    toggle.classList.toggle("playing", on);
    toggle.setAttribute("aria-label", on ? "Pause" : "Play");
    if (!on) return;
    last = performance.now();
    requestAnimationFrame(tick);
  }
  function tick(now) {
    if (!playing) return;
    if (!held) at = Math.min(length, at + Math.max(0, now - last));
    last = now;
    draw();
    if (at >= length) play(false);
    else requestAnimationFrame(tick);
  }
  function seek(ms) {
    at = Math.min(Math.max(ms, 0), length);
    draw();
  }

  position.max = length;
  const scrubber = document.querySelector(".scrub input");
  document.querySelector(".player .play").addEventListener("click", () => {
    film.showModal();
    seek(scenes[scrubber.value - 1].start);
    play(true);
  });
  toggle.addEventListener("click", () => play(!playing));
  stage.addEventListener("click", () => play(!playing));
  part(".close").addEventListener("click", () => film.close());
  position.addEventListener("pointerdown", () => { held = true; });
  for (const name of ["pointerup", "pointercancel", "change"]) position.addEventListener(name, () => { held = false; });
  position.addEventListener("input", () => seek(Number(position.value)));
  film.addEventListener("close", () => {
    play(false);
    scrubber.value = sceneAt(at).index + 1; // the page shows the step at which it was closed
    scrubber.dispatchEvent(new Event("input"));
  });
  document.addEventListener("keydown", (event) => {
    if (!film.open) return;
    event.stopPropagation();
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const scene = scenes.indexOf(sceneAt(at));
    const to = { ArrowLeft: scene - 1, ArrowRight: scene + 1, Home: 0, End: scenes.length - 1 }[event.key];
    if (to !== undefined) seek((scenes[Math.max(to, 0)] ?? { start: length }).start);
    else if (event.key === " " && !event.target.matches("button")) play(!playing);
    else return;
    event.preventDefault();
  }, { capture: true });
})();
