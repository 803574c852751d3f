"""Stand-ins for Apple's frameworks: what each C function and Objective-C class does on the simulated Mac.

A method here is named after the C function that it stands in for, and gets its *in* arguments only; the calling
convention around it comes from the facts (see `simulated_mac.calling`).
"""
