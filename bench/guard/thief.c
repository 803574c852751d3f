// The adversary: takes what is not its own at random moments, and counts what it gets for it.
//
// usage: thief focus|activate|grab|popup MIN_US MAX_US HOLD_US [X Y WIDTH HEIGHT]
//
// Waits, log-uniformly between MIN_US and MAX_US; steals; holds for MIN_US to HOLD_US; gives back; begins again, until
// its standard input ends. `focus` goes past the window manager, `activate` through it, `grab` takes the keyboard
// while the focus stays, `popup` maps a window over that place. Says "ready" once it is there, and at the end one
// JSON line: how often it tried, how often it really had what it wanted, and what reached it.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static Display *display;
static Window own, popup, victim;
static long tries, had, presses, releases, clicks;
static int grabbing;

static int ignore(Display *d, XErrorEvent *e) { return (void)d, (void)e, 0; }

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * t.tv_sec + t.tv_nsec / 1e3;
}

static void let_pass(double us) {
  double end = now_us() + us;
  struct timespec t = {(time_t)(us / 1e6), (long)(fmod(us, 1e6) * 1e3)};
  if (us > 200) nanosleep(&t, NULL);  // a sleep of less lasts longer
  while (now_us() < end) {
  }
}

static double between(double least, double most) {
  return least * pow(most / least, rand() / (double)RAND_MAX);
}

static void drain(int steals_focus) {
  XEvent e;
  while (XPending(display)) {
    XNextEvent(display, &e);
    if (e.type == KeyPress) presses++;
    if (e.type == KeyRelease) releases++;
    if (e.type == ButtonPress) clicks++;
    if (e.type == FocusIn && steals_focus) had++;
    if (e.type == MapNotify && e.xmap.window == popup) had++;
  }
}

static void activate(Window w) {
  XClientMessageEvent m = {.type = ClientMessage, .window = w, .format = 32};
  m.message_type = XInternAtom(display, "_NET_ACTIVE_WINDOW", False);
  m.data.l[0] = 2;
  XSendEvent(display, DefaultRootWindow(display), False, SubstructureRedirectMask | SubstructureNotifyMask,
             (XEvent *)&m);
}

static Window client_of(Window w) {  // the window that the window manager knows
  Atom state = XInternAtom(display, "WM_STATE", False), type;
  Window root, parent, *children;
  unsigned long count, left;
  unsigned n;
  int format;
  unsigned char *data = NULL;
  while (w > 1 && w != DefaultRootWindow(display)) {
    XGetWindowProperty(display, w, state, 0, 1, False, AnyPropertyType, &type, &format, &count, &left, &data);
    if (data) XFree(data);
    if (type) return w;
    if (!XQueryTree(display, w, &root, &parent, &children, &n)) break;
    if (children) XFree(children);
    w = parent;
  }
  return victim;
}

static void take(const char *mode) {
  tries++;
  if (!strcmp(mode, "focus")) XSetInputFocus(display, own, RevertToParent, CurrentTime);
  if (!strcmp(mode, "activate")) activate(own);
  if (!strcmp(mode, "popup")) XMapRaised(display, popup);
  if (!strcmp(mode, "grab")) {
    grabbing = XGrabKeyboard(display, own, False, GrabModeAsync, GrabModeAsync, CurrentTime) == GrabSuccess;
    had += grabbing;
  }
  XFlush(display);
}

static void give_back(const char *mode) {
  if (!strcmp(mode, "focus")) XSetInputFocus(display, victim, RevertToParent, CurrentTime);
  if (!strcmp(mode, "activate")) activate(client_of(victim));
  if (!strcmp(mode, "popup")) XUnmapWindow(display, popup);
  if (grabbing) XUngrabKeyboard(display, CurrentTime);
  grabbing = 0;
  XFlush(display);
}

int main(int count, char **words) {
  if (count != 5 && count != 9) return fputs("see the head of thief.c\n", stderr), 2;
  const char *mode = words[1];
  double least = atof(words[2]), most = atof(words[3]), hold = atof(words[4]);
  int box[4] = {0, 0, 10, 10}, revert;
  for (int i = 5; i < count; i++) box[i - 5] = atoi(words[i]);
  display = XOpenDisplay(NULL);
  if (!display) return fputs("no display\n", stderr), 1;
  XSetErrorHandler(ignore);
  srand(20);
  XGetInputFocus(display, &victim, &revert);
  Window root = DefaultRootWindow(display);
  long mask = KeyPressMask | KeyReleaseMask | ButtonPressMask | FocusChangeMask | StructureNotifyMask;
  own = XCreateSimpleWindow(display, root, 900, 560, 300, 200, 0, 0, 0xff4444);
  popup = XCreateSimpleWindow(display, root, box[0], box[1], box[2], box[3], 0, 0, 0xff4444);
  XSelectInput(display, own, mask);
  XSelectInput(display, popup, mask);
  XChangeWindowAttributes(display, popup, CWOverrideRedirect, &(XSetWindowAttributes){.override_redirect = True});
  XChangeProperty(display, own, XInternAtom(display, "_NET_WM_PID", False), XA_CARDINAL, 32, PropModeReplace,
                  (unsigned char *)&(long){getpid()}, 1);
  XStoreName(display, own, "Thief");
  XMapWindow(display, own);
  XSync(display, False);
  let_pass(300e3);
  give_back("focus");
  XSync(display, False);
  drain(0);
  puts("ready");
  fflush(stdout);
  struct pollfd input = {.fd = 0, .events = POLLIN};
  while (poll(&input, 1, 0) == 0) {
    let_pass(between(least, most));
    take(mode);
    let_pass(between(least, hold));
    give_back(mode);
    drain(strcmp(mode, "grab") && strcmp(mode, "popup"));
  }
  XSync(display, False);
  let_pass(50e3);
  drain(0);
  printf("{\"tries\": %ld, \"had\": %ld, \"presses\": %ld, \"releases\": %ld, \"clicks\": %ld}\n", tries, had, presses,
         releases, clicks);
  return 0;
}
